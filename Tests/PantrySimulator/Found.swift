import FoundationEssentials
@testable import Pantry

/// What a program finds in the storage.
@MainActor
struct Found {
  var notes: [Note] = []
  var tags: [Tag] = []
  var counters: [Tag] = []
  private var objects: [Tag] = []
  private var value = 0
  private var counted = 0
  private var countedInFile = 0
  /// The notes whose pictures cannot be read.
  private(set) var notesWithoutPictures: [Note] = []

  /// - Parameter mayLackPictures: whether pictures that cannot be read are no error.
  init(by reader: Client, mayLackPictures: Bool = false) async throws {
    guard let notes = reader.notes?.store, let tags = reader.tags?.store,
      let counters = reader.counters?.store
    else { throw Violation("the reader has no stores") }
    try await notes.itemsHaveLoaded()
    try await tags.itemsHaveLoaded()
    try await counters.itemsHaveLoaded()
    objects = try await reader.objects?.allObjects() ?? []
    value = try await reader.read(reader.value)
    counted = try await reader.read(reader.counted)
    let issues = notes.loadIssues + tags.loadIssues + counters.loadIssues
    guard issues.isEmpty else { throw Violation("rows cannot be read: \(issues)") }
    (self.notes, self.tags, self.counters) = (notes.items, tags.items, counters.items)
    for note in self.notes {
      guard let picture = note.picture else { continue }
      do {
        guard try await picture.data() == Note.picture(of: note.version) else {
          throw Violation("the picture of \(note) is another one")
        }
      } catch let error as StorageError
        where mayLackPictures && !SQLiteStorageEngine.reportsDamage(error)
      {
        notesWithoutPictures.append(note)
      }
    }
    if let issue = reader.countedInFile?.loadIssue {
      throw Violation("the file of a value cannot be read: \(issue)")
    }
    countedInFile = reader.countedInFile?.wrappedValue ?? 0
  }

  /// The versions by their keys.
  var versions: [Scenario.Key: Int] {
    var versions: [Scenario.Key: Int] = [:]
    for note in notes {
      versions[Scenario.Key(space: .notes, number: Int(note.id)!)] = note.version
    }
    for tag in tags { versions[Scenario.Key(space: .tags, number: Int(tag.id)!)] = tag.version }
    for tag in objects {
      versions[Scenario.Key(space: .objects, number: Int(tag.id)!)] = tag.version
    }
    if value != 0 { versions[.value] = value }
    return versions
  }

  /// The counts by the numbers of their counters.
  var counts: [Int: Int] {
    var counts = Dictionary(counters.map { (Int($0.id)!, $0.version) }) { $1 }
    counts[Scenario.counterCount] = counted
    counts[Scenario.counterCount + 1] = countedInFile
    return counts
  }
}
