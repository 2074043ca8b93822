import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Files with one damaged place: all items are shown, or the damage is.
@MainActor
@Suite(.timeLimit(.minutes(60))) struct NoticedDamageTests {
  /// A file with interior pages in its table of items and in their index.
  @MainActor
  final class Original {
    static let photoCount = 260
    static let noteCount = 60
    let data: Data
    let pageSize = 8_192

    init() async throws {
      let directory = TemporaryDirectory(inMemory: true)
      do {
        let photos = try await Store<Photo>(storage: directory.engine("Photo"))
        let notes = try await Store<Note>(storage: directory.engine("Note"))
        let tail = String(repeating: "x", count: 60)
        try await photos.add(
          (0..<Self.photoCount + 20).map { number in
            let size = number % 50 == 0 ? 9_000 : 60
            return Photo(
              id: "photo-\(number)-\(tail)",
              picture: Attachment(.noise(size, seed: UInt64(number + 1))))
          })
        try await notes.add(
          (0..<Self.noteCount).map {
            Note(id: "note-\($0)", text: String(repeating: "y", count: 400))
          })
        try await photos.remove(Array(photos.items.suffix(20)))
        _ = try await Store<Note>(storage: directory.engine("Empty"))
      }
      try await directory.leaveLog()
      data = try Data(contentsOf: directory.file)
    }

    var pageCount: Int { data.count / pageSize }

    /// The places of the pages that are the roots of tables and indexes, and of interior pages.
    func importantPages() throws -> [Int] {
      let directory = try placed(data)
      let database = try directory.database()
      let select = try database.statement("SELECT rootpage FROM sqlite_schema WHERE rootpage > 1")
      var numbers: Set<Int> = [1]
      while try select.step() { numbers.insert(Int(select.integer(0))) }
      for number in 2...pageCount where [2, 5].contains(data[(number - 1) * pageSize]) {
        numbers.insert(number)
      }
      return numbers.sorted().map { ($0 - 1) * pageSize }
    }

    /// A directory with the file.
    func placed(_ data: Data) throws -> TemporaryDirectory {
      let directory = TemporaryDirectory(inMemory: true)
      try FileManager.default.createDirectory(
        at: directory.storage.url, withIntermediateDirectories: true)
      try data.write(to: directory.file)
      return directory
    }
  }

  /// Opens a file as Panda does, and requires that all items are shown, or the damage reported.
  private func open(
    _ data: Data, of original: Original, _ words: String, mayRefuse: Bool = false
  ) async throws {
    let directory = try original.placed(data)
    var report: RecoveryReport?
    /// Returns the number of photos and notes.
    func shown(writing isWriting: Bool) async throws -> Int {
      let photos = try await Store<Photo>(storage: directory.deferredEngine("Photo"))
      let notes = try await Store<Note>(storage: directory.deferredEngine("Note"))
      if isWriting {
        try await photos.add(Photo(id: "new", picture: Attachment(Data("new".utf8))))
      }
      return photos.items.count + photos.loadIssues.count + notes.items.count
        + notes.loadIssues.count
    }
    func orRecovered(writing isWriting: Bool = false) async throws -> Int {
      do {
        return try await shown(writing: isWriting)
      } catch let error where SQLiteStorageEngine.reportsDamage(error) {
        let engine = directory.deferredEngine("Photo")
        let found = try await engine.recover(at: RecoveryTests.date)
        #expect(found != nil || report != nil, "\(words): \(error)")
        report = found ?? report
        return try await shown(writing: isWriting)
      }
    }
    do {
      let expected = Original.photoCount + Original.noteCount
      var count = try await orRecovered()
      count = try await orRecovered(writing: true)
      count = try await orRecovered()
      // The name of a namespace can be what was damaged.
      let told =
        report.map { $0.counts.values.reduce(0) { $0 + $1.lost } + max(0, $0.rowCount + 1 - count) }
        ?? 0
      #expect(count + told > expected, "\(words): \(count)")
    } catch let error as StorageError where mayRefuse && !SQLiteStorageEngine.reportsDamage(error) {
      #expect(try Data(contentsOf: directory.file) == data, "\(words): \(error)")
    } catch {
      Issue.record(error, "\(words)")
    }
  }

  private static let step = Torture.isOn ? 1 : 179

  @Test func `fault 83: any flipped bit at the beginning of a root or interior page is noticed`()
    async throws
  {
    let original = try await Original()
    let pages = try original.importantPages()
    #expect(pages.count >= 11)
    let bits = pages.flatMap { page in (0..<96).map { (page, $0) } }
    for (number, (page, bit)) in bits.enumerated() where number % Self.step == 0 {
      var data = original.data
      // The first page begins after the header of the file.
      data[page + bit / 8 + (page == 0 ? 100 : 0)] ^= 1 << UInt8(bit % 8)
      try await open(data, of: original, "page \(page / original.pageSize + 1), bit \(bit)")
    }
  }

  @Test func `fault 83: any flipped bit in the header of the file is noticed`() async throws {
    let original = try await Original()
    for bit in stride(from: 0, to: 800, by: Self.step) {
      var data = original.data
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      // The number of the version alone decides what is newer.
      try await open(
        data, of: original, "byte \(bit / 8), bit \(bit % 8)",
        mayRefuse: (60...63).contains(bit / 8))
    }
  }

  @Test func `fault 83: random flipped bits are noticed`() async throws {
    let original = try await Original()
    var random = SplitMix64(seed: 83)
    for number in 0..<2_000 {
      let bit = Int.random(in: 0..<original.data.count * 8, using: &random)
      guard number % Self.step == 0 else { continue }
      var data = original.data
      data[bit / 8] ^= 1 << UInt8(bit % 8)
      let place = "page \(bit / 8 / original.pageSize + 1), byte \(bit / 8 % original.pageSize)"
      try await open(data, of: original, "\(place), bit \(bit % 8)")
    }
  }

  @Test func `fault 83: zeroed and swapped pages are noticed`() async throws {
    let original = try await Original()
    let size = original.pageSize
    func page(_ number: Int) -> Range<Int> { number * size..<(number + 1) * size }
    for number in stride(from: 0, to: original.pageCount, by: Torture.isOn ? 1 : 7) {
      var data = original.data
      data.replaceSubrange(page(number), with: Data(count: size))
      try await open(data, of: original, "page \(number + 1) zeroed")
    }
    let pairs = (0..<original.pageCount).flatMap { one in
      (one + 1..<original.pageCount).map { (one, $0) }
    }
    for (number, (one, other)) in pairs.enumerated() where number % Self.step == 0 {
      var data = original.data
      let (first, second) = (data[page(one)], data[page(other)])
      data.replaceSubrange(page(one), with: second)
      data.replaceSubrange(page(other), with: first)
      try await open(data, of: original, "pages \(one + 1) and \(other + 1) swapped")
    }
  }
}
