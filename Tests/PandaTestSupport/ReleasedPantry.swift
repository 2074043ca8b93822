internal import Foundation

/// The files that programs on a released version of Pantry wrote.
///
/// Recorded by `Scripts/make-pantry-fixture`. Every later version must open them with nothing lost.
public struct ReleasedPantry: Sendable, CustomStringConvertible {
  /// The version that wrote the files, such as `0.1.0`.
  public let release: String

  public var description: String { release }

  /// All releases.
  public static let all = ReleasedFiles.releases.map { ReleasedPantry(release: $0) }
  /// Those whose SQLite files and values are opened; those of 0.1.0 are refused.
  public static let opened = all.filter { $0.release != "0.1.0" }

  /// One release.
  public init(release: String) { self.release = release }

  /// Copies the files to `disk`, `default-namespace`, `program` and `library` in `directory`.
  public func copy(to directory: TemporaryDirectory) throws {
    try ReleasedFiles.copy("pantry", of: release, to: directory)
  }

  /// The SQL of a database on a server; nil if the version had no engine for one.
  public var server: String? {
    get throws {
      let file = ReleasedFiles.url("server.sql", of: release)
      guard FileManager.default.fileExists(atPath: file.path) else { return nil }
      return try String(contentsOf: file, encoding: .utf8)
    }
  }

  /// The directories of SQLite files whose paths begin with `place`.
  public func places(in place: String) throws -> [String] {
    try expected().keys.filter { $0.hasPrefix(place + "/data/") }.sorted()
  }

  /// The rows of each namespace of a place; the one of a Disk directory has no name.
  public func rows(_ place: String) throws -> [String: [ReleasedRow]] {
    guard let place = try expected()[place] as? [String: Any],
      let namespaces = place["namespaces"] as? [String: [String: Any]]
    else { throw TestFailure("pantry.json of \(release) has no rows of \(place)") }
    return try namespaces.mapValues {
      try ($0["rows"] as? [[String: Any]] ?? []).map(ReleasedRow.init)
    }
  }

  private func expected() throws -> [String: Any] {
    try ReleasedFiles.json("pantry.json", of: release) as? [String: Any] ?? [:]
  }
}
