internal import FoundationEssentials
internal import Pantry

/// The list of favorites in an export: `favorites.ndjson`.
///
/// Each line is a JSON object. The first one says what the file is:
///
///     {"count":1,"format":"panda-favorites","version":1}
///
/// Its `collections` are objects with `name` and `filter`; absent if there is none.
/// Each of the others is a favorite (``ManifestEntry``), in the order of the library:
///
///     {"address":"https://a.example/1","byteCount":5,"createdAt":"2026-10-03T14:05:09.25Z",
///      "file":"2026-10-03 Asleep 1f0a9c3e.jpg","height":3,"sha256":"…","source":"a.example",
///      "tags":["cute"],"width":4}
///
/// `original` is the digest of the favorite's own file, if this one is without its metadata.
/// `savedAt`, `title`, `credit`, `license`, `page` and `caption` are absent if there is none.
/// Members that a reader does not know are ignored. A change that readers must know gets a new
/// version.
struct Manifest: Equatable {
  static let filename = "favorites.ndjson"
  /// The version that this program writes.
  static let version = 1
  private static let format = "panda-favorites"

  let entries: [ManifestEntry]
  let collections: [SavedFilter]

  private struct Header: Codable {
    let format: String
    let version: Int
    let count: Int
    var collections: [SavedFilter]?
  }

  // MARK: Writing

  init(_ entries: [ManifestEntry], _ collections: [SavedFilter] = []) {
    self.entries = entries
    self.collections = collections
  }

  /// The whole file: the same bytes for the same favorites.
  ///
  /// - Throws: the encoder's error.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let header = Header(
      format: Self.format, version: Self.version, count: entries.count,
      collections: collections.isEmpty ? nil : collections)
    var data = try encoder.encode(header) + [0x0A]
    for entry in entries {
      data += try encoder.encode(entry)
      data.append(0x0A)
    }
    return data
  }

  // MARK: Reading

  /// Parses a file from outside.
  ///
  /// - Parameter path: the export, for messages.
  /// - Throws: ``ExchangeError``.
  init(_ data: Data, path: String, limits: ExchangeLimits) throws(ExchangeError) {
    let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard let header = try? Self.decode(Header.self, lines[0], limits),  // another program's
      header.format == Self.format
    else { throw ExchangeError(.line(1, "it does not start a list of favorites"), path: path) }
    guard header.version <= Self.version else {
      throw ExchangeError(
        .newer(version: header.version, supported: Self.version), path: path)
    }
    collections = header.collections ?? []
    guard !collections.contains(where: { $0.word.isEmpty }) else {
      throw ExchangeError(.line(1, "a collection has no name"), path: path)
    }
    guard (0...limits.entries).contains(header.count) else {
      throw ExchangeError(.tooManyEntries(limit: limits.entries), path: path)
    }
    // The last line ends with a newline too.
    guard lines.count == header.count + 2, lines.last?.isEmpty == true else {
      let found = max(0, lines.count - 2)
      throw ExchangeError(
        .line(lines.count - 1, "the list announces \(header.count) and has \(found)"), path: path)
    }
    var entries: [ManifestEntry] = []
    var files: Set<String> = []
    var addresses: Set<String> = []
    for (index, line) in lines.dropFirst().dropLast().enumerated() {
      let entry: ManifestEntry
      do {
        entry = try Self.decode(ManifestEntry.self, line, limits)
      } catch {
        throw ExchangeError(.line(index + 2, Self.words(error)), path: path)
      }
      let isKnown = !files.insert(entry.file).inserted || !addresses.insert(entry.address).inserted
      if let problem = entry.problem ?? (isKnown ? "an earlier line has it too" : nil) {
        throw ExchangeError(.line(index + 2, problem), path: path)
      }
      entries.append(entry)
    }
    self.entries = entries
  }

  private static func decode<Value: Decodable>(
    _ type: Value.Type, _ line: Data, _ limits: ExchangeLimits
  ) throws -> Value {
    guard line.count <= limits.lineBytes else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "too long"))
    }
    return try JSONDecoder().decode(type, from: line)
  }

  private static func words(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.codingPath.first?.stringValue ?? "it") has the wrong type"
    default: "it is not JSON, or too long"
    }
  }
}
