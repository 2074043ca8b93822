import Foundation
import PandaTestSupport
import Testing

@testable import Pantry
@testable import PantryFaultProbe

/// A run of `PantryFaultProbe` on a disk that may be out of order.
struct FaultProbeRun {
  let kind: FaultProbe.Kind
  let status: Int32
  let output: String
  let disk: RecordedDisk

  /// Runs the probe to its end.
  ///
  /// - Parameters:
  ///   - directory: where it stores.
  ///   - steps: what it does.
  init(
    _ kind: FaultProbe.Kind, in directory: TemporaryDirectory, steps: Range<Int>,
    _ faults: Faults = .none
  ) throws {
    let home = TemporaryDirectory()
    let library = try Faults.library()
    defer { withExtendedLifetime(library) {} }
    let start = try RecordedDisk.Start(directory.url)
    let result = try Subprocess.run(
      [
        BuildProducts.path(of: "PantryFaultProbe"), kind.rawValue,
        directory.storage.url.path(percentEncoded: false), "\(steps.lowerBound)", "\(steps.count)",
      ],
      environment: faults.environment(
        library, directory: directory.url, journal: home.path("journal")))
    self.kind = kind
    status = result.status
    output = result.output
    disk = try RecordedDisk(journal: home.path("journal"), start: start)
  }
}

/// What a storage may hold after the probe has printed some lines.
struct PossibleContent {
  /// Every acknowledged step is in each; one that has failed, or was under way, may be.
  private(set) var contents: Set<[Entry]>

  init(from start: [Entry] = [], _ kind: FaultProbe.Kind, after lines: [String]) {
    contents = [start]
    var begun: Int?
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count > 1, let number = Int(words[1]) else { continue }
      switch words[0] {
      case "begin": begun = number
      case "done":
        contents = Set(contents.map { Self.content($0, kind, after: number) })
        begun = nil
      case "failed":
        contents.formUnion(contents.map { Self.content($0, kind, after: number) })
        begun = nil
      default: continue
      }
    }
    if let begun { contents.formUnion(contents.map { Self.content($0, kind, after: begun) }) }
  }

  private static func content(
    _ entries: [Entry], _ kind: FaultProbe.Kind, after number: Int
  ) -> [Entry] {
    guard kind != .values else { return entries + [Entry(id: "\(number)")] }
    var entries = entries
    Step(number).apply(to: &entries)
    return entries
  }
}

extension FaultProbe.Kind {
  /// Opens a storage of the probe on a disk in order, and returns its items.
  ///
  /// It checks that nothing is damaged or missing, that no bytes are left that no sweep would free,
  /// and that the storage can be written.
  func checkedContent(of directory: TemporaryDirectory) async throws -> [Entry] {
    switch self {
    case .sqlite:
      // As the next launch finds it.
      let engine = try SQLiteStorageEngine(directory: directory.storage, namespace: "Panda")
      let entries = try await content(of: engine)
      let database = try directory.database()
      try Self.requireIntegrity(of: database)
      #expect(
        try database.integer(
          """
          SELECT count(*) FROM attachment WHERE id NOT IN (SELECT attachment FROM item_attachment)
            AND id NOT IN (SELECT attachment FROM unreferenced)
          """) == 0)
      return entries
    case .disk:
      let engine = try DiskStorageEngine(directory: directory.storage)
      #expect(try await engine.damage().isEmpty)
      return try await content(of: engine)
    case .values:
      let value = StoredValue(
        wrappedValue: [Int](), key: "steps", directory: directory.storage,
        registry: ValueRegistry())
      #expect(value.loadIssue == nil)
      return value.wrappedValue.map { Entry(id: "\($0)") }
    }
  }

  @MainActor
  private func content(of engine: any StorageEngine) async throws -> [Entry] {
    let store = try await Store<Panda>(storage: engine)
    #expect(store.loadIssues.isEmpty)
    let items = store.items
    for item in items { #expect(try await item.picture.data() == Panda.bytes(item.id)) }
    try await store.add(Panda("new"))
    try await store.remove(Panda("new"))
    #expect(store.items == items)
    return items.map { Entry(id: $0.id, caption: $0.caption) }
  }

  /// Throws unless SQLite finds a database whole.
  static func requireIntegrity(of database: Database) throws {
    let check = try database.statement("PRAGMA integrity_check")
    defer { check.reset() }
    guard try check.step() else { throw TestFailure("integrity_check said nothing") }
    guard check.text(0) == "ok" else { throw TestFailure("\(database.path): \(check.text(0))") }
  }
}
