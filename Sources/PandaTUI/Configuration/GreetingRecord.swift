internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// What `panda today --greeting` shows on the coming days, prepared beside a former greeting.
///
/// So a shell's start waits for no library, whether that is large, locked, damaged or on a server.
struct GreetingRecord: Codable, Equatable, Sendable {
  /// The favorite of a day.
  struct Day: Codable, Equatable, Sendable {
    /// The day, such as 2026-10-03.
    let day: String
    /// The address of the picture.
    let address: String
    /// The digest of its bytes, by which its thumbnail is found, in hexadecimal digits.
    let digest: String
    let name: String
    /// How many years ago it was kept, if that is an anniversary.
    let years: Int?
    /// The author, the license and the source, as far as they are known.
    let credit: String
    /// Whether its thumbnail was kept: if it is missing later, the cache was emptied.
    var isPictured: Bool?
  }

  /// The library that it is about.
  let library: String
  /// The state of the library's file when it was read; nil if it is on a server.
  let stamp: String?
  let preparedAt: Date
  /// The number of favorites.
  let count: Int
  let days: [Day]
  /// Why the favorites could not be read, without a period; nil if they could.
  let problem: String?

  /// The file of the record: `$XDG_STATE_HOME/panda/greeting.json`.
  static var standardFile: URL {
    StorageDirectory.state(appendingPath: "panda").url.appending(path: "greeting.json")
  }

  /// Reads a record; nil if there is none that can be read.
  init?(file: URL) {
    // One of another version counts as none, and is replaced. A pipe would be waited for.
    let path = file.path(percentEncoded: false)
    guard
      let kind = try? FileManager.default.attributesOfItem(atPath: path)[.type],  // see above
      kind as? FileAttributeType == .typeRegular,
      let data = try? Data(contentsOf: file),  // see above
      let record = try? JSONDecoder().decode(Self.self, from: data)  // see above
    else { return nil }
    self = record
  }

  init(
    library: String, stamp: String?, preparedAt: Date, count: Int, days: [Day], problem: String?
  ) {
    self.library = library
    self.stamp = stamp
    self.preparedAt = preparedAt
    self.count = count
    self.days = days
    self.problem = problem
  }

  /// Writes the record, for its owner only.
  ///
  /// - Throws: Foundation's error.
  func write(to file: URL) throws {
    let manager = FileManager.default
    try manager.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try JSONEncoder().encode(self).write(to: file, options: .atomic)
    try manager.setAttributes(
      [.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
  }

  /// Returns the favorite of a day; nil if none was prepared.
  func day(_ day: String) -> Day? { days.first { $0.day == day } }
}
