internal import Foundation

/// The files that a released version of the program wrote, copied into a fresh directory.
///
/// Recorded by `Scripts/make-data-fixture` with the released program itself. Every later version
/// must open them with nothing lost.
public struct ReleasedData: Sendable, CustomStringConvertible {
  /// The version that wrote the files, such as `0.2.0`.
  public let release: String
  /// How the program ended: a folder name in the release's fixture.
  public let home: String

  public var description: String { "\(release) \(home)" }

  /// All homes of all releases but 0.1.0, which is refused.
  public static let all: [ReleasedData] = ReleasedFiles.releases.filter { $0 != "0.1.0" }.flatMap {
    release in
    ["closed", "killed", "drawn"].filter { ReleasedFiles.has($0, of: release) }
      .map { ReleasedData(release: release, home: $0) }
  }

  /// How `home` was left by each release that has it.
  public static func all(_ home: String) -> [ReleasedData] { all.filter { $0.home == home } }

  /// One home of one release.
  public init(release: String, home: String) {
    self.release = release
    self.home = home
  }

  /// Copies the files to `data`, `state`, `cache` and `config` in `directory`.
  public func copy(to directory: TemporaryDirectory) throws {
    try ReleasedFiles.copy(home, of: release, to: directory)
  }

  /// What the files hold, as another reader of SQLite found it when they were recorded.
  public func expected() throws -> Expected {
    let object = try ReleasedFiles.json("expected.json", of: release)
    guard let homes = object as? [String: [String: Any]], let home = homes[home],
      let namespaces = home["namespaces"] as? [String: [[String: Any]]],
      let attachments = home["attachments"] as? [String]
    else { throw TestFailure("expected.json of \(release) has no \(home)") }
    return Expected(
      rows: try namespaces.mapValues { try $0.map(ReleasedRow.init) }, attachments: attachments)
  }

  /// The content of a home.
  public struct Expected: Sendable {
    /// The rows of each namespace, in the order in which they were inserted.
    public let rows: [String: [ReleasedRow]]
    /// The SHA-256 of each picture, in hexadecimal.
    public let attachments: [String]
  }
}
