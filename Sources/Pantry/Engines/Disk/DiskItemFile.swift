internal import FoundationEssentials
internal import PantryJSON

/// The format of an item's file: one line of JSON, then the unmodified data.
///
///     {"bytes":14,"created":1760000000.5,"key":"a","pantry":1,"position":0,"updated":1760000000.5}
///     {"text":"hello"}
///
/// `created` and `updated` are seconds since 1970. The file is named by the SHA-256 digest of the
/// key, so no key can name a file elsewhere, none is too long, and no two differ only in case.
struct DiskItemHeader: Codable {
  static let supportedVersion = 1
  /// The positions that JSON's numbers hold exactly.
  static let positions = 0..<1 << 53
  /// A line longer than this is no header: any realistic key is far shorter.
  static let longestLine = 1 << 22

  var pantry = supportedVersion
  let position: Int
  let created: Double
  let updated: Double
  let bytes: Int
  let key: String

  /// The header as written to the file, with its newline.
  func line() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + [UInt8(ascii: "\n")]
  }

  /// The result of reading a header.
  enum Reading {
    case header(DiskItemHeader, length: Int)
    case newerVersion(Int)
    case damaged(reason: String)
  }

  /// Reads the header of `file`, which has `byteCount` bytes and is named by `digest`.
  static func read(from file: borrowing OpenFile, byteCount: Int, digest: ContentDigest) throws
    -> Reading
  {
    var length = 512
    while true {
      let start = try file.read(min(length, byteCount), at: 0)
      if let newline = start.firstIndex(of: UInt8(ascii: "\n")) {
        return parse(Data(start[..<newline]), digest: digest)
      }
      guard length < byteCount, length < longestLine else {
        return .damaged(reason: "it does not begin with a header")
      }
      length *= 4
    }
  }

  private static func parse(_ line: Data, digest: ContentDigest) -> Reading {
    struct Version: Decodable { let pantry: Int }
    // Foundation's decoder traps on some files; see RowDecoder.
    let decoder = RowDecoder()
    do {
      let version = try decoder.decode(Version.self, from: line).pantry
      guard version == supportedVersion else { return .newerVersion(version) }
      let header = try decoder.decode(DiskItemHeader.self, from: line)
      guard ContentDigest(of: Data(header.key.utf8)) == digest else {
        return .damaged(reason: "its name does not match the key in its header")
      }
      guard positions.contains(header.position) else {
        return .damaged(reason: "its position is invalid")
      }
      return .header(header, length: line.count + 1)
    } catch {
      return .damaged(reason: "its header cannot be read")
    }
  }
}

/// The names of the engine's files; all other files are left alone.
enum DiskFileName: Equatable {
  case item(ContentDigest)
  case temporary

  static let lock = "lock"
  static let journal = "journal"
  static let newJournal = "journal.new"

  /// The name of the file of the key with this digest.
  static func name(ofItem digest: ContentDigest) -> String { digest.hexadecimal + ".item" }

  /// The name under which commit `number` writes an item before renaming it.
  static func name(ofTemporary digest: ContentDigest, commit number: Int) -> String {
    "\(digest.hexadecimal).\(number).new"
  }

  /// The digest of the key whose file has this name; nil for every other name.
  static func item(_ name: String) -> ContentDigest? {
    guard name.hasSuffix(".item"), case .item(let digest) = DiskFileName(name) else { return nil }
    return digest
  }

  init?(_ name: String) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    if name == Self.newJournal {
      self = .temporary
    } else if let first = parts.first, let digest = ContentDigest(hexadecimal: String(first)),
      first == digest.hexadecimal
    {
      if parts.count == 2, parts[1] == "item" {
        self = .item(digest)
      } else if parts.count == 3, Int(parts[1]) != nil, parts[2] == "new" {
        self = .temporary
      } else {
        return nil
      }
    } else {
      return nil
    }
  }
}
