internal import FoundationEssentials
internal import Glibc
internal import Pantry
internal import SystemSupport

struct LibraryBackup: Sendable {
  let engine: SQLiteStorageEngine
  let path: String
  let replacing: Bool
  let progress: @Sendable (ExchangeProgress) -> Void

  @concurrent
  func run() async throws -> BackupReport {
    try checkPlace()
    // A directory of its own, since reading a copy may leave SQLite's files beside it.
    let parent = try OpenFolder(parentOf: path)
    UnfinishedName.removeRemnants(in: parent)
    let (name, lock) = UnfinishedName.create { name in
      guard mkdirat(parent.descriptor, name, 0o700) == 0 else { return -1 }
      return openat(parent.descriptor, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard lock >= 0 else { throw FileError(.write, path, code: errno) }
    defer { close(lock) }
    let work = parent.path(of: name)
    // A remnant is removed by the next run.
    defer { try? FileManager.default.removeItem(atPath: work) }
    let copy = "\(work)/favorites.sqlite"
    let before = try await engine.keyCount()
    let lost: [ContentDigest]
    do {
      lost = try await engine.backup(to: URL(filePath: copy))
    } catch StorageError.cannotCreate(_, let reason) {
      throw StorageError.cannotCreate(path: path, reason: reason)
    }
    let report = try await read(StorageDirectory(url: URL(filePath: work)), without: lost)
    // Others may have changed the favorites meanwhile.
    let after = try await engine.keyCount()
    guard (min(before, after)...max(before, after)).contains(report.count) else {
      throw ExchangeError(.incompleteBackup(found: report.count, expected: after), path: path)
    }
    guard report.count > 0 && report.unreadable == 0 || access(path, F_OK) != 0 else {
      throw ExchangeError(.mayHaveMore(than: report.count - report.unreadable), path: path)
    }
    do {
      try parent.publish(
        "\(name)/favorites.sqlite", as: OpenFolder.name(in: path), replacing: replacing)
      try parent.flush()
    } catch let error as FileError where error.code == EEXIST {
      throw ExchangeError(.exists, path: path)
    }
    return report
  }

  /// Throws if something at the place must not be replaced.
  private func checkPlace() throws {
    var status = stat()
    guard stat(path, &status) == 0 || lstat(path, &status) == 0 else { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw FileError(.write, path, code: EISDIR)
    }
    for suffix in ["", "-wal", "-shm"] {
      var own = stat()
      if stat(engine.path + suffix, &own) == 0, own.st_dev == status.st_dev,
        own.st_ino == status.st_ino
      {
        throw ExchangeError(.favoritesThemselves, path: path)
      }
    }
    // Never a device.
    guard replacing, status.st_mode & S_IFMT == S_IFREG || status.st_mode & S_IFMT == S_IFLNK else {
      throw ExchangeError(.exists, path: path)
    }
  }

  /// Reads the whole copy, which does not have the pictures in `lost`.
  private func read(
    _ directory: StorageDirectory, without lost: [ContentDigest]
  ) async throws -> BackupReport {
    let copy = try SQLiteStorageEngine(
      directory: directory, databaseFilename: "favorites.sqlite", namespace: engine.namespace,
      readOnly: true)
    let images = try await Store<RemoteImage>(storage: copy, upgrades: RemoteImage.upgrades).items
    var report = BackupReport(count: try await copy.keyCount())
    report.unreadable = report.count - images.count
    var elsewhere = Set(lost)
    for (index, image) in images.enumerated() {
      try Task.checkCancellation()
      elsewhere.remove(image.dataRepresentation.digest)
      do {
        // The digest is checked.
        _ = try await image.dataRepresentation.data()
      } catch StorageError.attachmentMissing, StorageError.attachmentDamaged {
        report.unreadable += 1
      }
      progress(ExchangeProgress(done: index + 1, total: images.count))
    }
    report.unreadableElsewhere = elsewhere.count
    return report
  }
}
