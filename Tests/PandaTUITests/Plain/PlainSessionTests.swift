import Foundation
import SystemSupport
import PandaCore
import PandaTestSupport
import Pantry
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

/// A session without a process around it: in memory, with a source that the test answers.
@MainActor
@Suite struct PlainSessionTests {
  private let directory = TemporaryDirectory()
  private let lines = Lines()
  private let words = FetchWords(names: PlainNames())

  private final class Lines {
    var all: [PlainLine] = []
    /// What was said since this was asked last.
    func take() -> [PlainLine] {
      defer { all = [] }
      return all
    }
  }

  /// Lets those who come wait until it is opened.
  private actor Door {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func enter() async {
      if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
      isOpen = true
      for visitor in waiting { visitor.resume() }
      waiting = []
    }
  }

  /// Answers when the door is open, or fails where there is none.
  private struct GatedSource: ImageSource {
    struct Refusal: Error, CustomStringConvertible { let description = "The zoo is closed." }

    let name = "zoo.example"
    let door: Door?
    var refusesInside = false

    func fetchImage(
      progress: @escaping @Sendable (FetchProgress) -> Void
    ) async throws -> FetchedImage {
      guard let door else { throw Refusal() }
      await door.enter()
      if refusesInside { throw Refusal() }
      let drawn = try await BambooGroveSource { 7 }.fetchImage { _ in }
      return FetchedImage(
        url: URL(string: "https://zoo.example/7")!, data: drawn.data, source: name,
        title: "\u{1B}[2JWah\nwah")
    }
  }

  /// A clock whose first wait is over at once, and whose others last.
  private final class HastyClock: Clock, Sendable {
    typealias Instant = ContinuousClock.Instant
    private let hasWaited = Lock(false)
    var now: Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      let lasts = hasWaited.withLock { value in
        defer { value = true }
        return value
      }
      if lasts { try await Task.sleep(for: .seconds(3_600)) }
    }
  }

  private func session(
    _ source: some ImageSource, clock: any Clock<Duration> = PatientClock(),
    library: ImageLibrary? = nil
  ) -> Conversation {
    let library =
      library ?? ImageLibrary(favorites: .loadingInBackground(storage: MemoryStorageEngine()))
    return Conversation(
      library, source, fallback: BambooGroveSource { 1 }, in: directory, clock: clock
    ) { [lines] in lines.all.append($0) }
  }

  @Test func `a slow source gets a fallback, and its panda comes with the next fetch`() async {
    let door = Door()
    let session = session(GatedSource(door: door), clock: HastyClock())
    await session.handle(.text("fetch"))
    let meanwhile = lines.take()
    #expect(
      meanwhile.first
        == .said("\(words.slow("zoo.example", fallback: "Bamboo Grove"))."))
    #expect(meanwhile.count == 2)
    await door.open()
    await session.handle(.text("fetch"))
    let answer = lines.take()
    #expect(answer.count == 1)
    guard case .said(let text)? = answer.first else { return }
    #expect(text.hasPrefix("[2JWah wah, from zoo.example, mostly "), "\(text)")
    #expect(!text.contains("favorite") && !text.contains("new"), "\(text)")
    #expect(session.controller.library.seenCount == 2)
  }

  @Test func `the key for a random favorite describes one, which is meant then`() async {
    let session = session(SmallSource())
    await session.handle(.text("r"))
    for line in ["fetch", "favorite", "fetch"] { await session.handle(.text(line)) }
    #expect(session.image?.title == "Panda 2")
    _ = lines.take()
    await session.handle(.text("r"))
    let described = lines.take()
    #expect(described.count == 1)
    guard case .said(let text)? = described.first else { return }
    #expect(text.hasPrefix("Panda 1, from") && text.contains("It is a favorite"), "\(text)")
    #expect(session.image?.title == "Panda 1")
  }

  @Test func `random favorites of a session come back, each in its turn`() async {
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    let session = session(SmallSource(), library: library)
    for _ in 1...10 {
      for line in ["fetch", "favorite"] { await session.handle(.text(line)) }
    }
    _ = lines.take()
    for _ in 1...40 { await session.handle(.text("r")) }
    let titles = lines.take().map { line in
      if case .said(let text) = line { text.prefix { $0 != "," } } else { Substring("\(line)") }
    }
    // None is left for more than 1.2 times as many choices.
    for place in 10...27 { #expect(Set(titles[place..<place + 12]).count == 10, "\(titles)") }
  }

  @Test func `fault 73: a failure after the fallback was shown is reported, with a cause`()
    async throws
  {
    let door = Door()
    let session = session(GatedSource(door: door, refusesInside: true), clock: HastyClock())
    await session.handle(.text("fetch"))
    #expect(lines.take().count == 2)
    await door.open()
    try await eventually("the failure is noted") { session.lateFailure != nil }
    // Nothing is said that was not asked for.
    #expect(lines.take().isEmpty)
    await session.handle(.text("!"))
    let answer = lines.take()
    #expect(answer.first == .failure("\(words.failed("The zoo is closed"))."))
    #expect(answer.contains(.said("The zoo is closed.")))
    #expect(session.status == .network)
    // It is said once.
    await session.handle(.text("list"))
    #expect(lines.take().count == 1)
    await session.handle(.text("fetch"))
    #expect(lines.take().first == .failure("\(words.drawnInstead("The zoo is closed"))."))
  }

  @Test func `fault 73: a late failure is reported at the end of a session, too`() async throws {
    let door = Door()
    let session = session(GatedSource(door: door, refusesInside: true), clock: HastyClock())
    await session.handle(.text("fetch"))
    await door.open()
    try await eventually("the failure is noted") { session.lateFailure != nil }
    _ = lines.take()
    session.end()
    await session.finish()
    #expect(lines.take() == [.failure("\(words.failed("The zoo is closed")).")])
    #expect(session.status == .network)
  }

  @Test func `an unavailable command says why`() async {
    let session = session(GatedSource(door: nil))
    for (line, refusal) in [
      ("favorite", .noPicture), ("remove", .noPicture), ("details", .noPicture),
      ("save x", .noPicture), ("clear", .nothingToClear), ("undo", .nothingToUndo),
      ("redo", .nothingToRedo), ("problem", .nothingWentWrong), ("back", .nothingSeenBefore),
    ] as [(String, Refusal)] {
      await session.handle(.text(line))
      #expect(lines.take() == [.failure("\(Sentence.refused(refusal, PlainNames())).")])
    }
    await session.handle(.text("show 1"))
    #expect(
      lines.take()
        == [.failure("Nothing was listed yet, so nothing has a number. Type list first.")])
    await session.handle(.text("trash"))
    #expect(lines.take() == [.said("\(ActionWords.emptyTrash).")])
    await session.handle(.text("restore 1"))
    #expect(lines.take() == [.failure("The last list was empty.")])
    await session.handle(.tooLong)
    #expect(lines.take() == [.failure("That line is longer than 64 KB, so it was left out.")])
    await session.handle(.text("fetch"))
    _ = lines.take()
    await session.handle(.text("caption x"))
    #expect(
      lines.take()
        == [
          .failure(
            "arms up in snow: "
              + "\(Sentence.refused(.onlyFavoritesHaveCaptions, PlainNames())).")
        ])
  }

  @Test func `a fallback drawing is not saved in place of a requested panda`() async {
    let session = session(GatedSource(door: nil))
    await session.handle(.text("fetch"))
    await session.handle(.text("fetch --keep -n 3"))
    #expect(session.controller.images.isEmpty)
  }

  @Test func `a number outside the list refers to no picture`() async {
    let session = session(GatedSource(door: nil))
    for line in ["fetch", "favorite", "list"] { await session.handle(.text(line)) }
    let id = session.controller.images.first?.pictureID.digits ?? ""
    _ = lines.take()
    for line in ["remove 2", "remove 1234", "tags 2 snow", "hide 99999"] {
      await session.handle(.text(line))
      #expect(lines.take() == [.failure("The last list has number 1 only.")], "\(line)")
    }
    await session.handle(.text("remove \(id)"))
    #expect(session.controller.images.isEmpty)
  }

  @Test func `output printed before a failure is not repeated by a later command`() async {
    let session = session(GatedSource(door: nil))
    await session.handle(.text("fetch"))
    _ = lines.take()
    await session.attempt {
      try session.output.write(Array("one".utf8))
      throw CommandFailure("No more", .failed)
    }
    #expect(lines.take() == [.said("one"), .failure("No more.")])
    await session.handle(.text("address"))
    #expect(lines.take().count == 1)
  }

  @Test func `a session refuses to print the bytes of a picture`() async {
    let session = session(GatedSource(door: nil))
    await session.handle(.text("fetch"))
    _ = lines.take()
    for line in ["show --bytes this", "card this -", "fetch -o -"] {
      await session.handle(.text(line))
      guard case .failure(let text)? = lines.take().first else {
        Issue.record("\(line) was not refused")
        continue
      }
      #expect(text.hasPrefix("A session prints lines only"))
    }
  }

  @Test func `a list in a terminal stops after a screenful, and Enter goes on`() async {
    let session = session(SmallSource())
    for _ in 1...6 {
      for line in ["fetch", "favorite"] { await session.handle(.text(line)) }
    }
    await session.handle(.text("tags 3 \(String(repeating: "snow ", count: 18))"))
    func take(_ line: String) async -> [String] {
      _ = lines.take()
      await session.handle(.text(line))
      return lines.take().map { line in
        guard case .said(let text) = line else { return "\(line)" }
        return String(text.prefix { $0 != "." })
      }
    }
    // In a pipe there are no screens.
    let whole = await take("list")
    #expect(whole.count == 7 && session.question == nil)
    session.window = { CellSize(columns: 100, rows: 5) }
    #expect(await take("list") == Array(whole[0...2]) + ["4 more: Enter goes on, q ends"])
    #expect(await take("") == ["3", "4", "5"] + ["1 more: Enter goes on, q ends"])
    #expect(await take("") == ["6"])
    #expect(session.question == nil)
    // Wrapped lines take more rows, and each page has one entry.
    session.window = { CellSize(columns: 10, rows: 2) }
    #expect(await take("list").count == 3)
    #expect(await take("q") == [] && session.question == nil && !session.hasEnded)
    // Any other line is a command, about numbers of the whole list.
    _ = await take("list")
    #expect(await take("address 6").first?.hasPrefix("https://") == true)
    #expect(session.question == nil)
  }

  @Test func `deleting for good asks as clearing does`() async {
    let session = session(SmallSource())
    for line in ["fetch", "favorite", "remove", "purge --all"] {
      await session.handle(.text(line))
    }
    #expect(session.question != nil)
    await session.handle(.text("trash"))
    #expect(session.controller.library.trashed.count == 1)
    await session.handle(.text("purge 1"))
    _ = lines.take()
    await session.handle(.text("y"))
    #expect(session.controller.library.trashed.isEmpty)
    #expect(lines.take().count == 1)
  }

  @Test(arguments: ["", "no", "n", "list"])
  func `only yes or y confirms clearing`(_ answer: String) async {
    let session = session(GatedSource(door: nil))
    for line in ["fetch", "favorite", "clear"] { await session.handle(.text(line)) }
    #expect(session.question != nil)
    _ = lines.take()
    await session.handle(.text(answer))
    #expect(lines.take().first == .said("Nothing was removed."))
    #expect(session.controller.images.count == 1)
    await session.handle(.text("clear"))
    await session.handle(.text(" Yes "))
    #expect(session.controller.images.isEmpty)
    await session.handle(.text("undo"))
    #expect(session.controller.images.count == 1)
    await session.handle(.text("clear"))
    await session.handle(.text("y"))
    #expect(session.controller.images.isEmpty)
  }
}
