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
    let isSure = !isUnsure
    isUnsure = true
    if let changed, isSure {
      for (digest, isWritten) in changed { try read(digest, unlessSame: !isWritten) }
    } else {
      try compare()
    }
    isUnsure = false
    handOver()
  }

  /// Reads the headers of all files that may have changed.
  private func compare() throws {
    var gone = Set(items.keys)
    for name in try folder.names() {
      guard let digest = DiskFileName.item(name) else { continue }
      gone.remove(digest)
      let known = items[digest]?.stamp
      if let known, known.isUnchanged(in: try folder.stamp(of: name)) { continue }
      try read(digest, unlessSame: true)
    }
    for digest in gone { try read(digest, unlessSame: true) }
  }

  /// Reads the header of a file, and notes that it has changed.
  ///
  /// - Parameter unlessSame: whether the same header means that it has not: every commit has its
  ///   own time, and only a file written in place has the same with other data.
  private func read(_ digest: ContentDigest, unlessSame: Bool) throws {
    var found: DiskItem?
    do {
      found = try folder.open(DiskFileName.name(ofItem: digest)).map { try DiskItem($0, digest) }
    } catch let error as DiskError where error.concernsOneFile {
      // Any other error may affect every file, and must not make a full storage look empty.
      found = DiskItem(unreadable: digest, because: error)
    }
    let former = items[digest]
    if let former, found?.isReadable == false { found?.header = former.header }
    if let item = former ?? found, !unlessSame || found?.resembles(former) != true {
      note(digest, item)
    }
    put(found, digest)
  }

  /// Updates the item of a file; nil if there is none.
  func put(_ item: DiskItem?, _ digest: ContentDigest) {
    items[digest] = item
    guard let item, item.isReadable else { return }
    let position = item.header.position
    let other = holders.updateValue(digest, forKey: position)
    if let other, other != digest, items[other]?.header.position == position { hasTies = true }
    reserve(before: position + 1)
  }

  /// Reserves all positions before `position`, which may have been used by removed items.
  ///
  /// After the last position, which only a file written by hand has, items share it.
  func reserve(before position: Int) {
    nextPosition = min(max(nextPosition, position), DiskItemHeader.positions.upperBound - 1)
  }
}
