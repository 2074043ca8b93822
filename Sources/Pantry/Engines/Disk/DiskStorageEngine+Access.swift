internal import FoundationEssentials
internal import Glibc

/// Other processes use the directory at the same time. Each read or write takes the lock, finishes
/// a commit that a dead process has left, and reads what others have changed.
extension DiskStorageEngine {
  /// Runs `body` under the lock, with the current items of the directory.
  ///
  /// - Throws: ``StorageError/readOnly(path:)`` for writing if the directory is read-only.
  func access<Result>(forWriting: Bool = false, _ body: () throws -> Result) throws -> Result {
    do {
      try followDirectory()
      if forWriting, !folder.isWritable { throw StorageError.readOnly(path: path) }
      try lock.take(forWriting: forWriting, patience: patience)
      defer { lock.release() }
      if try isUnsure || folder.status(DiskFileName.journal) != nil { try recover() }
      try catchUp()
      handOver()
      let result = try body()
      handOver()
      return result
    } catch {
      // A follower that was told may not have been able to read.
      hasFailed = true
      watcher.reportLater()
      throw error
    }
  }

  /// Switches to the directory at the path, if it was replaced.
  private func followDirectory() throws {
    guard let identity = FileIdentity(path: path) else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else {
        throw DiskError(operation: .open, path: path, code: code)
      }
      throw StorageError.fileIsGone(path: path)
    }
    guard identity != folder.identity else { return }
    folder = try folder.reopened()
    lock = DiskLock(folder)
    watcher.startOver()
    isUnsure = true
    for (digest, item) in items { note(digest, item) }
    items = [:]
  }

  /// Finishes a commit of a dead process, since a living one would hold the lock.
  ///
  /// Readers may do so at the same time: each step can be repeated, and each does all of them.
  private func recover() throws {
    guard folder.isWritable else {
      // Temporary files are harmless; half of a commit is not.
      guard try folder.status(DiskFileName.journal) == nil else {
        throw StorageError.needsWriting(
          path: path, reason: "an interrupted commit must be finished first")
      }
      return
    }
    try DiskJournal.read(from: folder)?.finish(in: folder)
    for name in try folder.names() where DiskFileName.isTemporary(name) {
      do {
        try folder.remove(name)
      } catch let error as DiskError where error.isDirectory {
        continue  // not one of ours
      }
    }
    // From here on no old journal or temporary file can come back.
    try folder.flush()
  }

  /// Reads the headers of the files that have changed.
  private func catchUp() throws {
    let changed = watcher.take()
    let digests = try isUnsure ? possiblyChanged() : changed ?? possiblyChanged()
    isUnsure = true
    for digest in digests { try read(digest) }
    isUnsure = false
  }

  /// Compares the stamps of all files with those that are known.
  private func possiblyChanged() throws -> Set<ContentDigest> {
    var changed = Set(items.keys)
    for name in try folder.names() {
      guard let digest = DiskFileName.item(name) else { continue }
      let stamp = try folder.status(name).map { FileStamp($0) }
      if items[digest]?.stamp?.isUnchanged(in: stamp) == true {
        changed.remove(digest)
      } else {
        changed.insert(digest)
      }
    }
    return changed
  }

  /// Reads the header of a file, and notes that it may have changed.
  private func read(_ digest: ContentDigest) throws {
    var found: DiskItem?
    do {
      found = try folder.open(DiskFileName.name(ofItem: digest)).map { try DiskItem($0, digest) }
    } catch let error as DiskError where error.concernsOneFile {
      // Any other error may affect every file, and must not make a full storage look empty.
      found = DiskItem(unreadable: digest, because: "\(SystemError(code: error.code))")
    }
    let former = items[digest]
    if let former, found?.isReadable == false { found?.header = former.header }
    if let item = former ?? found { note(digest, item) }
    put(found, digest)
  }

  /// Updates the item of a file; nil if there is none.
  func put(_ item: DiskItem?, _ digest: ContentDigest) {
    items[digest] = item
    if let item, item.isReadable { reserve(before: item.header.position + 1) }
  }

  /// Reserves all positions before `position`, which may have been used by removed items.
  ///
  /// After the last position, which only a file written by hand has, items share it.
  func reserve(before position: Int) {
    nextPosition = min(max(nextPosition, position), DiskItemHeader.positions.upperBound - 1)
  }
}
