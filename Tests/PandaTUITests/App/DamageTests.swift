import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import PandaSession
@testable import PandaShell
@testable import PandaTUI
@testable import PantryRecovery
@testable import TerminalKit

/// A favorites file that was damaged between two launches.
@MainActor
@Suite struct DamageTests {
  private let directory = TemporaryDirectory()

  private var file: URL { directory.url.appending(path: "data/favorites.sqlite") }

  /// What is said when three favorites were recovered, up to the date in the file's name.
  private var recovered: String {
    var report = RecoveryReport(cause: .damaged)
    report.originalPath = "favorites.sqlite.corrupt-"
    var count = RecoveryReport.Count()
    count.recovered = 3
    report.counts["RemoteImage"] = count
    return RecoveryWords(report: report).sentence
  }

  /// Saves favorites, and ends the program.
  private func saveFavorites(_ count: Int) async throws {
    do {
      let panda = try AppDriver(directory)
      try await panda.favorite(count)
      try await panda.quit()
    }
    try await AppDriver.fileIsClosed(in: directory)
  }

  private func damageHeader() throws {
    var data = try Data(contentsOf: file)
    data.replaceSubrange(0..<100, with: Data(repeating: 0xEE, count: 100))
    // Another file, as a sync program leaves one.
    try data.write(to: file, options: .atomic)
  }

  @Test func `fault 42: a damaged file is recovered at the start, with counts and the cause`()
    async throws
  {
    try await saveFavorites(3)
    try damageHeader()
    let damaged = try Data(contentsOf: file)
    let panda = try AppDriver(directory, source: SmallSource(first: 101), columns: 160)
    try await panda.expect(text: recovered)
    try await panda.expect(favorites: 3)
    try await panda.open(.program(.problem), ProgramCommands.troubleTitle)
    // What it is now, and nothing to repair.
    try await panda.expect(text: "The favorites file was recovered")
    try await panda.expect(text: "not a database")
    #expect(!panda.display.text.contains("repair"))
    try panda.press(.program(.problem))
    // The card shows the last picture seen.
    try panda.press(.card(.fetch))
    try await panda.favorite(1, after: 3)
    try await panda.quit()
    let names = try FileManager.default.contentsOfDirectory(
      atPath: file.deletingLastPathComponent().path)
    let kept = try #require(names.first { $0.contains(".corrupt-") })
    let copy = file.deletingLastPathComponent().appending(path: kept)
    #expect(try Data(contentsOf: copy) == damaged)
  }

  @Test func `fault 72: an emptied file is never a silent empty start`() async throws {
    try await saveFavorites(2)
    weak var former: ImageLibrary?
    do {
      let second = try AppDriver(directory)
      try await second.expect(favorites: 2)
      former = second.app.context.favorites.controller.library
      try await former?.backUp()
      try await second.quit()
    }
    // It would recover the file itself, and the next program would find it whole.
    try await eventually("the former library is gone") { former == nil }
    try await AppDriver.fileIsClosed(in: directory)
    try Data().write(to: file, options: .atomic)
    let panda = try AppDriver(directory, columns: 160)
    try await panda.expect(text: "The favorites file was empty; 2 favorites were recovered, from")
    try await panda.expect(favorites: 2)
    try await panda.quit()
  }

  @Test func `fault 42: plain mode recovers a damaged file, and says the same`() async throws {
    try await saveFavorites(3)
    try damageHeader()
    let lines = Lines()
    let library = ImageLibrary(in: .init(url: directory.url.appending(path: "data")))
    let session = Conversation(library, SmallSource(), in: directory, clock: PatientClock()) {
      lines.all.append($0)
    }
    await session.begin()
    guard case .failure(let sentence)? = lines.all.first else {
      Issue.record("\(lines.all)")
      return
    }
    #expect(sentence.hasPrefix(recovered))
    let count = "\(ActionWords.favorites(3))."
    #expect(
      lines.all.contains {
        if case .said(let text) = $0 { text.contains(count) } else { false }
      })
    #expect(session.status == .done)
    await session.handle(.text("problem"))
    #expect(!"\(lines.all)".contains("repair") && "\(lines.all)".contains("not a database"))
    await session.finish()
  }

  @MainActor private final class Lines {
    var all: [PlainLine] = []
  }
}
