public import Foundation

/// The files in `Releases`, a folder for each released version.
enum ReleasedFiles {
  private static let folder = Bundle.module.resourceURL!.appending(path: "Releases")

  /// The versions, oldest first.
  static let releases: [String] = {
    // An empty list fails the test that names the versions.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
  }()

  static func url(_ name: String, of release: String) -> URL {
    folder.appending(path: release).appending(path: name)
  }

  static func has(_ name: String, of release: String) -> Bool {
    [name, name + ".tar.gz"].contains {
      FileManager.default.fileExists(atPath: url($0, of: release).path)
    }
  }

  /// Copies what is in the folder `name`, or in its archive `name.tar.gz`.
  static func copy(_ name: String, of release: String, to directory: TemporaryDirectory) throws {
    let source = url(name, of: release)
    let archive = url(name + ".tar.gz", of: release)
    let copying = try Subprocess.run(
      FileManager.default.fileExists(atPath: archive.path)
        ? ["tar", "-xzf", archive.path, "--strip-components=1", "-C", directory.path("")]
        : ["cp", "-R", source.path + "/.", directory.path("")],
      environment: ["PATH=/usr/bin:/bin"])
    guard copying.status == 0 else { throw TestFailure(copying.output) }
  }

  static func json(_ name: String, of release: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(contentsOf: url(name, of: release)))
  }
}

/// A stored item, as Python read it from the files.
public struct ReleasedRow: Sendable {
  /// Its key.
  public let key: String
  /// Its data.
  public let json: Data
  /// When it was first written; nil if this was not recorded.
  public let created: Date?

  init(_ row: [String: Any]) throws {
    guard let key = row["key"] as? String, let value = row["value"] else {
      throw TestFailure("a row has no key or no value")
    }
    self.key = key
    json = try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
    created = (row["created"] as? String).flatMap(Double.init).map {
      Date(timeIntervalSince1970: $0)
    }
  }
}
