internal import Foundation
internal import Pantry

/// An item that the operations write and read.
protocol BenchmarkNote: Codable, Equatable, Sendable {
  var id: String { get }

  /// Returns `count` notes, numbered from `first`.
  static func notes(_ count: Int, from first: Int) throws -> [Self]

  /// Changes its content.
  mutating func edit()
}

/// The shape of a note.
enum NoteShape: String, CaseIterable {
  case flat, nested
}

/// A note with 1,460 bytes of JSON: strings, an array of them, a date, a Boolean and a number.
struct FlatNote: BenchmarkNote {
  let id: String
  let title: String
  let text: String
  let tags: [String]
  let createdAt: Date
  let isPinned: Bool
  private(set) var revision: Int

  /// Creates the note with this number; its text is padded to reach the length of the JSON.
  init(_ number: Int, encoder: JSONEncoder) throws {
    let bare = FlatNote(number, text: "")
    let missing = try Self.jsonBytes - encoder.encode(bare).count
    self = FlatNote(number, text: String(Self.prose.prefix(missing)))
  }

  static func notes(_ count: Int, from first: Int) throws -> [FlatNote] {
    let encoder = JSONEncoder()
    return try (first..<first + count).map { try FlatNote($0, encoder: encoder) }
  }

  mutating func edit() { revision += 1 }

  private static let jsonBytes = 1_460
  private static let prose = String(
    repeating: "A panda spends most of the day with bamboo, and the rest of it asleep. ", count: 24)

  private init(_ number: Int, text: String) {
    id = "note-\(1_000_000 + number)"
    title = "Note \(number) about pandas"
    self.text = text
    tags = ["panda", "bamboo", "note \(number % 12)"]
    createdAt = Date(timeIntervalSinceReferenceDate: 800_000_000 + Double(number))
    isPinned = number % 3 == 0
    revision = number
  }
}

/// A realistic note of about 1,500 bytes of JSON.
///
/// It has values in nested lists, dates and URLs, and every other one has line breaks, quotes and
/// accents.
struct NestedNote: BenchmarkNote {
  struct Tag: Codable, Equatable, Sendable {
    let id: Int
    let name: String
    let color: String
  }

  struct Annotation: Codable, Equatable, Sendable {
    let author: String
    let text: String
    let date: Date
  }

  let id: String
  let createdAt: Date
  let updatedAt: Date
  let page: URL?
  let picture: URL?
  private(set) var tags: [Tag]
  let annotations: [Annotation]

  static func notes(_ count: Int, from first: Int) throws -> [NestedNote] {
    (first..<first + count).map(NestedNote.init)
  }

  mutating func edit() { tags.swapAt(0, 1) }

  private init(_ number: Int) {
    id = "note-\(1_000_000 + number)"
    let created = Date(timeIntervalSinceReferenceDate: 800_000_000.125 + Double(number))
    createdAt = created
    updatedAt = created + 86_400.5
    page = URL(string: "https://example.org/pandas/\(number)/index.html")
    picture = URL(string: "https://images.example.org/pandas/\(number)-original.jpg?width=1600")
    tags = (0..<4).map {
      Tag(id: number % 12 + $0, name: "panda \($0)", color: "#B5651\($0)")
    }
    let text =
      number.isMultiple(of: 2)
      ? "A panda spends most of the day with bamboo, and the rest of it asleep on a branch. "
      : "Le panda roux, \"l'ours-chat\", dort\nà midi; il préfère l'été à l'hiver, çà et là. "
    annotations = (0..<6).map {
      Annotation(
        author: "Author \((number + $0) % 40)", text: String((text + text).prefix(125)),
        date: created + Double($0) * 60)
    }
  }
}

/// A favorite with a picture of 200 KB.
struct Picture: Codable, Equatable, Sendable {
  let id: String
  let image: Attachment

  static let byteCount = 200_000

  static func pictures(_ count: Int) -> [Picture] {
    (0..<count).map { Picture(id: "picture-\($0)", image: Attachment(bytes($0))) }
  }

  /// Returns nonrepeating bytes, different for each number (xorshift64).
  static func bytes(_ number: Int) -> Data {
    var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes = Data(capacity: byteCount)
    while bytes.count < byteCount {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
