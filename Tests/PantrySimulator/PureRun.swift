@testable import Pantry

/// A random sequence of optimistic changes and writes on a table, compared with a plain model.
///
/// It needs no task and no file, so that very many can be tried.
@MainActor
struct PureRun {
  /// A change of an item that is shown: nil removes it.
  private struct Change {
    let token: Int
    let version: Int?
    var isWritten = false
  }

  /// What is on disk of an item, and the changes on top of it.
  private struct Layers {
    var base: Int?
    var changes: [Change] = []

    var shown: Int? { changes.isEmpty ? base : changes[changes.count - 1].version }
    var written: Int? {
      guard let last = changes.last(where: \.isWritten) else { return base }
      return last.version
    }
  }

  private static let keys = (0..<4).map { CacheKey(verbatim: String($0)) }

  private var random: RandomStream
  private var table = ItemTable<Tag>()
  private var provisional = ProvisionalItems<Tag>()
  private var model = [Layers](repeating: Layers(), count: keys.count)
  private var tokens: [Int] = []
  private var lastVersion = 0
  private var lastPosition = 0
  private var steps: [String] = []

  init(seed: UInt64) { random = RandomStream(seed: seed) }

  /// Runs it; returns what differs from the model first.
  mutating func run() -> Violation? {
    for _ in 0..<(2 + random.below(10)) {
      switch random.below(8) {
      case 0...2: begin()
      case 3...4: confirm()
      case 5: rollBack()
      default: write()
      }
      if let difference { return Violation("\(difference) after \(steps.joined(separator: "; "))") }
    }
    return nil
  }

  private var difference: String? {
    guard table.isConsistent else { return "the table is inconsistent" }
    for (number, key) in Self.keys.enumerated() {
      guard table.item(key)?.version == model[number].shown else {
        return "item \(number) is \(table.item(key)?.version as Int?), "
          + "not \(model[number].shown as Int?)"
      }
    }
    return table.items.count == model.count { $0.shown != nil } ? nil : "there are other items"
  }

  private mutating func nextVersion() -> Int {
    lastVersion += 1
    return lastVersion
  }

  private mutating func show(_ edits: [TableEdit<Tag>]) {
    for edit in edits { edit.apply(to: &table) }
  }

  private mutating func begin() {
    let token = provisional.begin()
    tokens.append(token)
    var numbers: Set = [random.below(Self.keys.count)]
    if random.oneIn(2) { numbers.insert(random.below(Self.keys.count)) }
    for number in numbers.sorted() {
      let key = Self.keys[number]
      // As the Store does: what is not there is not removed.
      let removes = random.oneIn(3) && table.holds(key)
      let version = removes ? nil : nextVersion()
      var transform: ProvisionalItems<Tag>.Transform?
      if let version {
        let item = Tag(id: key.rawValue, version: version)
        transform = { _ in item }
      }
      provisional.note(key, by: token, over: table, transform)
      model[number].changes.append(Change(token: token, version: version))
      steps.append("\(token) shows \(number) as \(version.map(String.init) ?? "removed")")
    }
    show(provisional.edits(showing: token))
  }

  private mutating func takeToken() -> Int? {
    guard !tokens.isEmpty else { return nil }
    return tokens.remove(at: random.below(tokens.count))
  }

  private mutating func confirm() {
    guard let token = takeToken() else { return }
    let rest = provisional.unwritten(of: token)
    var edits: [TableEdit<Tag>] = []
    if !rest.removed.isEmpty { edits.append(.remove(rest.removed)) }
    if !rest.items.isEmpty {
      edits.append(
        .put(.init(keys: rest.items.map { CacheKey(verbatim: $0.id) }, items: rest.items)))
    }
    steps.append("\(token) is written")
    show(provisional.confirm(edits, by: token, in: &table))
    for number in model.indices {
      for index in model[number].changes.indices where model[number].changes[index].token == token {
        model[number].changes[index].isWritten = true
      }
      fold(number)
    }
  }

  private mutating func rollBack() {
    guard let token = takeToken() else { return }
    steps.append("\(token) is rolled back")
    show(provisional.rollBack(token))
    for number in model.indices {
      model[number].changes.removeAll { $0.token == token }
      fold(number)
    }
  }

  /// A write of another: optimistic changes of its items end.
  private mutating func write() {
    let number = random.below(Self.keys.count)
    let key = Self.keys[number]
    if random.oneIn(3) {
      guard model[number].base != nil || !model[number].changes.isEmpty else { return }
      steps.append("\(number) is removed")
      show(provisional.confirm([.remove([key])], by: nil, in: &table))
      model[number] = Layers()
    } else {
      let version = nextVersion()
      steps.append("\(number) is written as \(version)")
      let written = Tag(id: key.rawValue, version: version)
      show(provisional.confirm([.put(.init(keys: [key], items: [written]))], by: nil, in: &table))
      model[number] = Layers(base: version)
    }
  }

  private mutating func fold(_ number: Int) {
    while let first = model[number].changes.first, first.isWritten {
      model[number].base = first.version
      model[number].changes.removeFirst()
    }
  }
}
