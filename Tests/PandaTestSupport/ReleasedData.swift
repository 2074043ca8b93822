public import Foundation

/// The files that a released version of the program wrote, copied into a fresh directory.
///
/// Recorded by `Scripts/make-data-fixture` with the released program itself. Every later version
/// must open them with nothing lost.
public struct ReleasedData: Sendable, CustomStringConvertible {
  /// The version that wrote the files, such as `0.1.0`.
  public let release: String
  /// How the program ended: a folder name in the release's fixture.
  public let home: String

  public var description: String { "\(release) \(home)" }

  /// All homes of all releases.
  public static let all: [ReleasedData] = {
    let releases = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return releases.sorted().flatMap { release in
      ["closed", "killed", "drawn"].map { ReleasedData(release: release, home: $0) }
    }
  }()

  /// One home of one release.
  public init(release: String, home: String) {
    self.release = release
    self.home = home
  }

  private static let folder = Bundle.module.resourceURL!.appending(path: "Releases")

  /// Copies the files to `data`, `state`, `cache` and `config` in `directory`.
  public func copy(to directory: TemporaryDirectory) throws {
    let source = Self.folder.appending(path: release).appending(path: home)
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      try FileManager.default.copyItem(
        at: source.appending(path: name), to: directory.url.appending(path: name))
    }
  }

  /// What the files hold, as another reader of SQLite found it when they were recorded.
  public func expected() throws -> Expected {
    let file = Self.folder.appending(path: release).appending(path: "expected.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    guard let homes = object as? [String: [String: Any]], let home = homes[home],
      let namespaces = home["namespaces"] as? [String: [[String: Any]]],
      let attachments = home["attachments"] as? [String]
    else { throw TestFailure("expected.json of \(release) has no \(home)") }
    return Expected(
      rows: try namespaces.mapValues { rows in
        try rows.map { row in
          Row(
            key: row["key"] as? String ?? "",
            json: try JSONSerialization.data(withJSONObject: row["value"] ?? [:]))
        }
      }, attachments: attachments)
  }

  /// The content of a home.
  public struct Expected: Sendable {
    /// The rows of each namespace, in the order in which they were inserted.
    public let rows: [String: [Row]]
    /// The SHA-256 of each picture, in hexadecimal.
    public let attachments: [String]
  }

  /// A stored item.
  public struct Row: Sendable {
    public let key: String
    public let json: Data
  }
}
