import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// The real program, killed again and again on the same favorites.
@MainActor
@Suite(.timeLimit(.minutes(240))) struct CrashTests {
  let directory = TemporaryDirectory(inMemory: true)

  @Test
  func `fault 47: a kill at any moment leaves each acknowledged action, and no part of another`()
    async throws
  {
    var random = SystemRandomNumberGenerator()
    var pandas = Pandas()
    for cycle in 0..<Torture.rounds(6, orTorture: 1_000) {
      let panda = try start()
      let actions = Action.round(2 * cycle) + Action.round(2 * cycle + 1)
      try panda.write(actions.map(\.line).joined(separator: "\n"))
      // Killed 0 to 20 ms after one of the actions.
      let wanted = cycle % (actions.count - 1)
      var lines: [String] = []
      while Action.acknowledged(actions, in: lines).count < wanted,
        let line = await panda.line()
      {
        lines.append(line)
      }
      let end = ContinuousClock.now + .microseconds(Int.random(in: 0...20_000, using: &random))
      while ContinuousClock.now < end {}
      panda.kill()
      while let line = await panda.line() { lines.append(line) }
      #expect(await panda.hasSucceeded() == false)

      let done = Action.acknowledged(actions, in: lines)
      #expect(done.count >= wanted, "cycle \(cycle): \(lines)")
      let found = try await pandasOnDisk()
      for action in done { pandas.take(action) }
      var next = pandas
      if done.count < actions.count { next.take(actions[done.count]) }
      try #require(found == pandas || found == next, "cycle \(cycle), killed after \(lines)")
      pandas = found
    }
  }

  private func start() throws -> ProbeProcess {
    try ProbeProcess(
      path: BuildProducts.path(of: "panda"),
      ["--plain", "--source", "grove", "--data-dir", directory.path("data")],
      home: TemporaryDirectory(inMemory: true))
  }

  /// Opens the favorites as the next launch does, after checks of the file.
  private func pandasOnDisk() async throws -> Pandas {
    let path = directory.path("data/favorites.sqlite")
    guard FileManager.default.fileExists(atPath: path) else { return Pandas() }
    let library = ImageLibrary(in: StorageDirectory(url: directory.url.appending(path: "data")))
    try await library.favorites.itemsHaveLoaded()
    try await library.trash.itemsHaveLoaded()
    for image in library.favorites.items {
      #expect(try await image.dataRepresentation.data().isEmpty == false)
    }
    let database = try Database(path: path)
    let check = try database.statement("PRAGMA integrity_check")
    #expect(try check.step() && check.text(0) == "ok")
    check.reset()
    #expect(
      try database.integer(
        """
        SELECT count(*) FROM attachment WHERE id NOT IN (SELECT attachment FROM item_attachment)
          AND id NOT IN (SELECT attachment FROM unreferenced)
        """) == 0)
    return Pandas(
      favorites: library.favorites.items.map {
        ($0.caption ?? "") + "|" + $0.tags.joined(separator: ",")
      }.sorted(),
      trashCount: library.trashed.count)
  }
}

/// The favorites by their captions and tags, and how many pandas are in the trash.
private struct Pandas: Equatable {
  var favorites: [String] = []
  var trashCount = 0
  /// What the last clearing has removed, and undoing it brings back.
  private var cleared: [String] = []

  init(favorites: [String] = [], trashCount: Int = 0) {
    self.favorites = favorites
    self.trashCount = trashCount
  }

  static func == (one: Pandas, other: Pandas) -> Bool {
    one.favorites == other.favorites && one.trashCount == other.trashCount
  }

  mutating func take(_ action: Action) {
    switch action {
    case .fetch: break
    case .favorite: favorites.append("|")
    case .caption(let caption): replace("|", by: caption + "|")
    case .tags(let tags, let caption), .retag(let tags, let caption):
      replace(caption + "|", by: caption + "|" + tags)
    case .untag(let tags, let caption): replace(caption + "|" + tags, by: caption + "|")
    case .remove(let panda):
      favorites.removeAll { $0 == panda }
      trashCount += 1
    case .putBack(let panda):
      favorites.append(panda)
      trashCount -= 1
    case .clear:
      cleared = favorites
      favorites = []
      trashCount += cleared.count
    case .bringBack:
      favorites = cleared
      trashCount -= cleared.count
    }
    favorites.sort()
  }

  private mutating func replace(_ old: String, by new: String) {
    if let place = favorites.firstIndex(of: old) { favorites[place] = new }
  }
}

/// What the user does, and with what result.
private enum Action: Equatable {
  case fetch, favorite
  case caption(String)
  case tags(String, of: String)
  /// Undoes the tags.
  case untag(String, of: String)
  /// Redoes the tags.
  case retag(String, of: String)
  case remove(String)
  /// Undoes the removal.
  case putBack(String)
  case clear
  /// Undoes the clearing.
  case bringBack

  /// The actions on one panda, whose caption no other has.
  static func round(_ number: Int) -> [Action] {
    let caption = "round \(number)", panda = caption + "|snow"
    return [
      .fetch, .favorite, .caption(caption), .tags("snow", of: caption),
      .untag("snow", of: caption), .retag("snow", of: caption), .remove(panda), .putBack(panda),
      .clear, .bringBack,
    ] + (number % 10 == 0 ? [] : [.remove(panda)])
  }

  /// The actions that the program has answered, in their order.
  static func acknowledged(_ actions: [Action], in lines: [String]) -> ArraySlice<Action> {
    var rest = actions[...]
    // The greeting describes the panda that was shown last.
    for line in lines.dropFirst(lines.count > 1 ? 1 : 0) {
      if let next = rest.first, line.contains(next.answer) { rest.removeFirst() }
    }
    return actions.prefix(actions.count - rest.count)
  }

  /// What is typed.
  var line: String {
    switch self {
    case .fetch: "fetch"
    case .favorite: "favorite"
    case .caption(let caption): "caption \(caption)"
    case .tags(let tags, _): "tags \(tags)"
    case .untag, .putBack, .bringBack: "undo"
    case .retag: "redo"
    case .remove: "remove"
    case .clear: "clear\nyes"
    }
  }

  /// A part of the line that is printed when it is done.
  private var answer: String {
    switch self {
    case .fetch: Sentence.newToYou
    case .favorite: Sentence.added
    case .caption: Sentence.captioned
    case .tags: Sentence.tagged
    case .untag, .putBack, .bringBack: "Undone: "
    case .retag: "Redone: "
    // Of all: "are in the trash".
    case .remove, .clear: String(Sentence.removed.dropFirst())
    }
  }
}
