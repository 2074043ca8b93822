internal import FoundationEssentials
internal import PantryJSON
internal import SystemSupport

/// The format of an item's file: one line of JSON, then the unmodified data.
///
///     {"bytes":14,"created":1760000000.5,"key":"a","pantry":1,"position":0,"updated":1760000000.5}
///     {"text":"hello"}
///
/// `created` and `updated` are seconds since 1970. The file is named by the SHA-256 digest of the
/// key, so no key can name a file elsewhere, none is too long, and no two differ only in case.
struct DiskItemHeader: DiskContent {
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

  /// Returns why it cannot be the header of a file that is named by `digest`; nil if it can.
  func problem(in digest: ContentDigest) -> String? {
    guard ContentDigest(of: Data(key.utf8)) == digest else {
      return "its name does not match the key in its header"
    }
    return Self.positions.contains(position) ? nil : "its position is invalid"
  }

  /// Reads the line at the beginning of `file`; nil if there is none.
  static func line(of file: OpenFile) throws -> Data? {
    for length in [512, 1 << 16, longestLine] {
      let start = try file.read(length, at: 0)
      if let newline = start.firstIndex(of: UInt8(ascii: "\n")) { return start[..<newline] }
    }
    return nil
  }
}

private struct DiskVersion: Decodable { let pantry: Int }

/// The JSON content of one of the engine's files; `pantry` is the format version.
protocol DiskContent: Codable {}

extension DiskContent {
  static var supportedVersion: Int { 1 }

  /// Decodes `data` of `file`; nil if it is something else.
  ///
  /// - Throws: ``StorageError/newerSchema(path:version:supported:)``.
  static func decoded(_ data: Data, from file: OpenFile) throws -> Self? {
    // Foundation's decoder traps on some files; see RowDecoder.
    let decoder = RowDecoder()
    do {
      let version = try decoder.decode(DiskVersion.self, from: data).pantry
      guard version == supportedVersion else {
        throw StorageError.newerSchema(
          path: file.path, version: version, supported: supportedVersion)
      }
      return try decoder.decode(Self.self, from: data)
    } catch is DecodingError {
      return nil
    }
  }
}
