internal import Foundation
internal import Pantry

/// A note whose JSON is 1,460 bytes long.
struct Note: Codable, Equatable, Sendable {
  let id: String
  let title: String
  let text: String
  let tags: [String]
  let createdAt: Date
  let isPinned: Bool
  let revision: Int

  /// The note with this number; the text is filled up to the length of the JSON.
  init(_ number: Int, encoder: JSONEncoder) throws {
    let bare = Note(number, text: "")
    let missing = try Self.jsonBytes - encoder.encode(bare).count
    self = Note(number, text: String(Self.prose.prefix(missing)))
  }

  /// As many notes as asked for, numbered from `first`.
  static func notes(_ count: Int, from first: Int = 0) throws -> [Note] {
    let encoder = JSONEncoder()
    return try (first..<first + count).map { try Note($0, encoder: encoder) }
  }

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

/// A favourite with a picture of 200 KB.
struct Picture: Codable, Equatable, Sendable {
  let id: String
  let image: Attachment

  static let byteCount = 200_000

  static func pictures(_ count: Int) -> [Picture] {
    (0..<count).map { Picture(id: "picture-\($0)", image: Attachment(bytes($0))) }
  }

  /// Bytes that do not repeat, different for each number (xorshift64).
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
