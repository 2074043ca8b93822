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

  // MARK: Writing

  init(_ entries: [ManifestEntry], _ collections: [SavedFilter] = []) {
    self.entries = entries
    self.collections = collections
  }

  /// The whole file: the same bytes for the same favorites.
  var data: Data {
    let header = JSONValue(members: [
      "format": JSONValue(text: Self.format), "version": JSONValue(number: Self.version),
      "count": JSONValue(number: entries.count),
      "collections": collections.isEmpty ? nil : JSONValue(.list(collections.map(\.json))),
    ])
    var text = "\(header)\n"
    for entry in entries { text += "\(entry.json)\n" }
    return Data(text.utf8)
  }

  // MARK: Reading

  /// Parses a file from outside.
  ///
  /// - Parameter path: the export, for messages.
  /// - Throws: ``ExchangeError``.
  init(_ data: Data, path: String, limits: ExchangeLimits) throws(ExchangeError) {
    let lines = data.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard let header = try? Header(Self.json(lines[0], limits)),  // another program's
      header.format == Self.format
    else { throw ExchangeError(.line(1, "it does not start a list of favorites"), path: path) }
    guard header.version <= Self.version else {
      throw ExchangeError(
        .newer(version: header.version, supported: Self.version), path: path)
    }
    collections = header.collections
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
      do throws(JSONError) {
        entry = try ManifestEntry(Self.json(line, limits))
      } catch {
        throw ExchangeError(.line(index + 2, error.reason), path: path)
      }
      let isKnown = !files.insert(entry.file).inserted || !addresses.insert(entry.address).inserted
      if let problem = entry.problem ?? (isKnown ? "an earlier line has it too" : nil) {
        throw ExchangeError(.line(index + 2, problem), path: path)
      }
      entries.append(entry)
    }
    self.entries = entries
  }

  private struct Header {
    let format: String
    let version: Int
    let count: Int
    let collections: [SavedFilter]

    init(_ line: JSONValue) throws(JSONError) {
      format = try line.member("format", as: \.text)
      version = try line.member("version", as: \.integer)
      count = try line.member("count", as: \.integer)
      let listed = try line.optionalMember("collections", as: \.elements) ?? []
      collections = try listed.map { json throws(JSONError) in try SavedFilter(json) }
    }
  }

  private static func json(_ line: Data, _ limits: ExchangeLimits) throws(JSONError) -> JSONValue {
    guard line.count <= limits.lineBytes else { throw JSONError(line: 1, reason: "it is too long") }
    return try JSONValue(line)
  }
}

extension SavedFilter {
  fileprivate init(_ json: JSONValue) throws(JSONError) {
    self.init(
      name: try json.member("name", as: \.text), filter: try json.member("filter", as: \.text))
  }

  fileprivate var json: JSONValue {
    JSONValue(members: ["name": JSONValue(text: name), "filter": JSONValue(text: filter)])
  }
}
