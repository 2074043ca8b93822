internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// A JSON file with a value under each key, written behind the changes in memory.
///
/// Each write reads the file again and replaces only what has changed, under a lock file that other
/// processes respect too. Writes that wait together are one.
final class ValueFile: Sendable {
  /// A value that has changed in memory and is not yet on disk.
  private struct Change: Sendable {
    let number: Int
    let key: String
    /// Makes the text; nil takes the key out of the file.
    let encode: @Sendable () throws -> Data?
  }

  private struct Writing {
    /// At most one for each key, the newest; here until it is on disk.
    var changes: [Change] = []
    /// Why the last attempt left a change here.
    var failures: [String: any Error] = [:]
    var nextNumber = 0
    var isScheduled = false
  }

  private let name: String
  private let directory: StorageDirectory
  private let patience: Duration
  private let now: @Sendable () -> Date
  private let beforeChange: (@Sendable (FolderChange) throws -> Void)?
  private let queue = DispatchQueue(label: "Pantry.ValueFile", qos: .utility)
  private let writing = Mutex(Writing())
  private let values = WeakTable<ValueKey>()

  init(
    _ name: String, in directory: StorageDirectory, patience: Duration,
    now: @escaping @Sendable () -> Date,
    beforeChange: (@Sendable (FolderChange) throws -> Void)?
  ) {
    precondition(!name.isEmpty && !name.contains("/"), "\(name) is not a file name")
    self.name = name
    self.directory = directory
    self.patience = patience
    self.now = now
    self.beforeChange = beforeChange
  }

  // MARK: Reading

  /// The value under `key`, read from the file if nobody else in this process uses it.
  func value<Item: StorableItem>(_ key: String, of type: Item.Type) -> ObservedValue<Item> {
    values.object(ValueKey(key: key, type: ObjectIdentifier(type))) {
      do throws(LoadIssue) {
        return ObservedValue(stored: try read(key))
      } catch {
        return ObservedValue(issue: error)
      }
    }
  }

  /// Decodes what is under `key`; nil if there is nothing.
  private func read<Item: StorableItem>(_ key: String) throws(LoadIssue) -> Item? {
    var data = Data()
    do {
      guard let text = try readText() else { return nil }
      data = text
      guard let value = try JSONObjectText(text)[key] else { return nil }
      data = value
      return try JSONDecoder().decode(Item.self, from: value)
    } catch {
      throw LoadIssue(key: CacheKey(verbatim: key), reason: LoadIssue.describe(error), data: data)
    }
  }

  private func readText() throws -> Data? {
    // Reading creates no directory.
    let path = directory.url.path(percentEncoded: false)
    if access(path, F_OK) != 0, errno == ENOENT { return nil }
    return try readText(in: OpenFolder(directory))
  }

  private func readText(in folder: OpenFolder) throws -> Data? {
    guard let file = try folder.open(name) else { return nil }
    guard let count = try file.byteCount() else {
      throw StorageError.damagedFile(path: folder.path(of: name), reason: "it is no regular file")
    }
    return try file.read(count, at: 0)
  }

  // MARK: Writing

  /// Writes what `encode` makes, on this file's own queue; returns at once.
  func write(_ key: String, encode: @escaping @Sendable () throws -> Data?) {
    let isScheduled = writing.withLock { writing in
      writing.nextNumber += 1
      let change = Change(number: writing.nextNumber, key: key, encode: encode)
      if let index = writing.changes.firstIndex(where: { $0.key == key }) {
        writing.changes[index] = change
      } else {
        writing.changes.append(change)
      }
      defer { writing.isScheduled = true }
      return writing.isScheduled
    }
    if !isScheduled { queue.async { self.writeChanges() } }
  }

  /// Returns when everything that was changed before is on the disk; tries again what has failed.
  ///
  /// - Throws: why the value under `key` is not on the disk.
  func flush(_ key: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        self.writeChanges()
        continuation.resume(with: self.failure(key).map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Why the last attempt to write what is under `key` failed.
  func failure(_ key: String) -> (any Error)? {
    writing.withLock { $0.failures[key] }
  }

  private func writeChanges() {
    let changes = writing.withLock {
      $0.isScheduled = false
      return $0.changes
    }
    var failures: [String: any Error] = [:]
    var texts: [(key: String, text: Data?)] = []
    for change in changes {
      // A value that cannot be encoded fails alone.
      do { texts.append((change.key, try change.encode())) } catch { failures[change.key] = error }
    }
    do {
      if !texts.isEmpty { try replace(texts) }
    } catch {
      for (key, _) in texts { failures[key] = error }
    }
    let written = Set(changes.lazy.filter { failures[$0.key] == nil }.map(\.number))
    let failed = failures
    writing.withLock {
      $0.changes.removeAll { written.contains($0.number) }
      $0.failures = failed
    }
  }

  /// Replaces members of the file, all or none; the others are those of the file as it is now.
  private func replace(_ texts: [(key: String, text: Data?)]) throws {
    let folder = try OpenFolder(directory, beforeChange: beforeChange)
    let lock = try waitForLock(in: folder)
    defer { folder.unlock(lock) }
    let (old, text) = try readObject(in: folder)
    var object = old
    for (key, text) in texts { try object.set(text, key: key) }
    guard object.text != text else { return }
    let temporary = name + ".tmp"
    do {
      try folder.write([object.text], to: temporary, flushing: true)
      try folder.rename(temporary, to: name)
    } catch {
      // What cannot be removed is overwritten by the next write.
      try? folder.remove(temporary)  // failing leaves a file that nobody reads
      throw error
    }
    try folder.flush()
  }

  /// Reads the file for a write; one that is damaged is renamed.
  private func readObject(in folder: OpenFolder) throws -> (JSONObjectText, text: Data?) {
    guard let text = try readText(in: folder) else { return (JSONObjectText(), nil) }
    do {
      return (try JSONObjectText(text), text)
    } catch {
      let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeSeparator: .omitted)
      let date = style.format(now())
      var other = "\(name).corrupt-\(date)"
      var number = 1
      while try folder.open(other) != nil {
        number += 1
        other = "\(name).corrupt-\(date)-\(number)"
      }
      try folder.rename(name, to: other)
      return (JSONObjectText(), nil)
    }
  }

  /// Takes the lock file; another process has it for some milliseconds only.
  ///
  /// - Throws: ``StorageError/inUse(path:)`` when patience ends: a stopped process must not stop us.
  private func waitForLock(in folder: OpenFolder) throws -> Int32 {
    let end = ContinuousClock.now + patience
    while true {
      do {
        return try folder.lock(name + ".lock")
      } catch StorageError.inUse where ContinuousClock.now < end {
        usleep(5_000)  // on this file's own queue, which is there to wait
      }
    }
  }
}

/// Tells the values of a file apart; under one key each type has its own.
private struct ValueKey: Hashable, Sendable {
  let key: String
  let type: ObjectIdentifier
}
