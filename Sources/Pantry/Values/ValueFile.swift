internal import FoundationEssentials
internal import Glibc
internal import PantryJSON
internal import SystemSupport

/// Reads and writes the file of one value.
///
/// The file is a JSON object with the value under its key, or an empty one if the value was reset.
/// As long as there is no file, the value is read from the file in which Pantry 0.1.0 kept all
/// values, as in version 0.2.0. Where 0.2.0 has not been, that file is refused.
struct ValueFile: Sendable {
  let path: String

  private let key: String
  private let directory: StorageDirectory
  private let name: String
  private let formerDirectory: StorageDirectory
  private let formerName: String

  /// Names the file of the value under `key`.
  ///
  /// - Parameters:
  ///   - key: any text.
  ///   - formerName: the name of the former file of all values.
  ///   - directory: the directory of that file, and of the directory of values beside it.
  init(_ key: String, of formerName: String, in directory: StorageDirectory) {
    precondition(
      !formerName.isEmpty && !formerName.contains("/"), "\(formerName) is not a file name")
    self.key = key
    self.formerName = formerName
    formerDirectory = directory
    self.directory = StorageDirectory(
      url: directory.url.appending(path: Self.directoryName(formerName)))
    name = Self.name(key)
    let place = FileLocation(self.directory.path + "/" + name)
    path = String(validating: place.canonicalPath, as: UTF8.self) ?? place.path
  }

  /// The name of the directory of values beside the former file of all values.
  static func directoryName(_ formerName: String) -> String { formerName + ".d" }

  /// Makes the file name of a key, such as `party_mode.json` for `partyMode`.
  ///
  /// It is unique for each key, even where the file system ignores case.
  static func name(_ key: String) -> String {
    let name = key.utf8.map { byte in
      switch UnicodeScalar(byte) {
      case "a"..."z", "0"..."9", "-": String(UnicodeScalar(byte))
      case "A"..."Z": "_" + String(UnicodeScalar(byte)).lowercased()
      default: (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }.joined()
    // A name has at most 255 bytes (man 7 path_resolution); another suffix may follow.
    return (name.utf8.count <= 150 ? name : "=" + CacheKey(key).rawValue) + ".json"
  }

  // MARK: Reading

  /// Decodes the value; nil if none is set.
  func read<Item: Decodable>() throws(LoadIssue) -> Item? {
    let text: Data?
    do {
      text = try Self.read(name, in: directory) ?? formerText()
    } catch {
      throw issue(error, Data())
    }
    return try value(in: text)
  }

  private func value<Item: Decodable>(in text: Data?) throws(LoadIssue) -> Item? {
    guard var data = text else { return nil }
    do {
      guard let value = try JSONObjectText(data)[key] else { return nil }
      data = value
      return try RowDecoder().decode(Item.self, from: value)
    } catch {
      throw issue(error, data)
    }
  }

  private func issue(_ error: any Error, _ data: Data) -> LoadIssue {
    LoadIssue(key: CacheKey(verbatim: key), reason: LoadIssue.describe(error), data: data)
  }

  /// The former file of all values; nil if there is none.
  ///
  /// - Throws: ``StorageError/olderSchema(path:)`` without the directory that version 0.2.0 made.
  private func formerText() throws -> Data? {
    guard let text = try Self.read(formerName, in: formerDirectory) else { return nil }
    guard !FileIdentity.isAbsent(directory.path) else {
      throw StorageError.olderSchema(path: formerDirectory.path + "/" + formerName)
    }
    return text
  }

  private static func read(_ name: String, in directory: StorageDirectory) throws -> Data? {
    // Checked first, since reading must create no directory.
    try PathText.requireUsable(directory.path)
    if access(directory.path, F_OK) != 0, errno == ENOENT { return nil }
    return try read(name, in: OpenFolder(directory))
  }

  private static func read(_ name: String, in folder: OpenFolder) throws -> Data? {
    guard let file = try folder.open(name) else { return nil }
    if let contents = try file.contents() { return contents }
    throw StorageError.damagedFile(path: folder.path(of: name), reason: "it is not a plain file")
  }

  // MARK: Writing

  /// Changes the value under the lock of its directory, and returns when it is on disk.
  ///
  /// - Parameters:
  ///   - replacing: whether a value that cannot be read counts as not set. If it is no JSON object,
  ///     the file is renamed, so that its content is not lost.
  ///   - beforeChange: called before each change to the disk; an error it throws replaces the
  ///     change.
  ///   - change: gets the value in the file, nil if none is set, and returns the new one, nil to
  ///     reset it.
  ///   - made: called with the new value once the file has it, and before its name is flushed.
  /// - Throws: `FileError`, `StorageError` or `EncodingError`; then the file is as it was, unless
  ///   `made` was called.
  func change<Item: Codable>(
    replacing: Bool, beforeChange: (@Sendable (FolderChange) throws -> Void)?,
    _ change: (Item?) -> Item?, made: (Item?) -> Void
  ) throws {
    if FileIdentity.isAbsent(directory.path) { _ = try formerText() }
    let folder = try OpenFolder(directory, beforeChange: beforeChange)
    try folder.locked {
      var former: Data?
      var stored: Item?
      var isDamaged = false
      do {
        former = try Self.read(name, in: folder)
        stored = try value(in: former ?? formerText())
      } catch let issue as LoadIssue where !replacing {
        throw issue.refusal(of: TypeName(Item.self), supported: 0)
      } catch {
        let failure = error as? FileError
        // A symbolic link is intended, not damage.
        guard replacing, failure?.concernsOneFile != false, failure?.code != ELOOP else {
          throw error
        }
        isDamaged = former.flatMap { try? JSONObjectText($0) } == nil  // no object: damaged
      }
      let new = change(stored)
      // An empty object, not an absent file: the former file may still have the value.
      let text = try (new.map { try json(of: $0) } ?? Data("{}".utf8)) + [UInt8(ascii: "\n")]
      if isDamaged { try folder.rename(name, to: name + ".corrupt") }
      if former != text {
        // No other process and no other thread writes to a file of this name.
        try folder.replace(name, through: "\(name).\(UUID().uuidString).tmp", with: text)
      }
      made(new)
      try folder.flush()
    }
  }

  /// Flushes the names in its directory.
  func flush(beforeChange: (@Sendable (FolderChange) throws -> Void)?) throws {
    try OpenFolder(directory, beforeChange: beforeChange).flush()
  }

  /// The text of the file, which has been read again.
  private func json<Item: Codable>(of value: Item) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = try encoder.encode([key: value])
    let again: Item
    do {
      let member = try JSONObjectText(text)[key] ?? Data()
      again = try RowDecoder().decode(Item.self, from: member)
    } catch {
      throw RowCoder.unreadable(value, LoadIssue.describe(error))
    }
    // Foundation's encoder may have lost a member, so another one compares.
    let coder = RowCoder(storage: nil)
    try RowCoder.requireSameContent(of: value, coder.bytes(of: value), coder.bytes(of: again)) {
      coder.bytes(of: value)
    }
    return text
  }
}
