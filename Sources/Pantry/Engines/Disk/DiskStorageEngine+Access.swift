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
      tellFollowers()
      let result = try body()
      tellFollowers()
      return result
    } catch {
      // A follower that was told may not have been able to read.
      told = nil
      checkLater()
      throw error
    }
  }

  /// Switches to the directory at the path, if it was replaced.
  private func followDirectory() throws {
    if FileIdentity.isAbsent(path) { throw StorageError.fileIsGone(path: path) }
    guard FileIdentity(path: path) != folder.identity else { return }
    folder = try folder.reopened()
    lock = DiskLock(folder)
    watch = nil
    isUnsure = true
    for digest in items.keys { put(nil, digest) }
  }

  /// Finishes a commit of a dead process, since a living one would hold the lock.
  ///
  /// Readers may do so at the same time: each step can be repeated, and each does all of them.
  func recover() throws {
    guard folder.isWritable else {
      // Temporary files are harmless; half of a commit is not.
      if try folder.status(DiskFileName.journal) == nil { return }
      throw StorageError.needsWriting(
        path: path, reason: "an interrupted commit must be finished first")
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
    let changed = takeChanges()
    guard isUnsure || changed != [] else { return }
    let wasUnsure = isUnsure
    isUnsure = true
    let digests = try wasUnsure ? possiblyChanged() : changed ?? possiblyChanged()
    for digest in digests { try read(digest) }
    setPlaces()
    isUnsure = false
  }

  /// Compares the stamps of all files with those that are known.
  private func possiblyChanged() throws -> Set<ContentDigest> {
    var changed = Set(items.keys)
    for digest in try folder.names().compactMap(DiskFileName.item) {
      let stamp = try folder.status(DiskFileName.name(ofItem: digest)).map { FileStamp($0) }
      let isKnown = items[digest]?.stamp?.isUnchanged(in: stamp) == true
      if isKnown { changed.remove(digest) } else { changed.insert(digest) }
    }
    return changed
  }

  /// Reads the header of a file.
  private func read(_ digest: ContentDigest) throws {
    var found: DiskItem?
    do {
      found = try folder.open(DiskFileName.name(ofItem: digest)).map { try DiskItem($0, digest) }
    } catch let error as DiskError where error.concernsOneFile {
      // Any other error may affect every file, and must not make a full storage look empty.
      found = DiskItem(unreadable: digest, because: "\(SystemError(code: error.code))")
    }
    if let former = items[digest], found?.isReadable == false {
      found?.header = former.header
      found?.place = former.place
    }
    put(found, digest)
  }

  /// Updates the item of a file; nil if there is none.
  func put(_ item: DiskItem?, _ digest: ContentDigest) {
    version += 1
    items[digest] = item
    items[digest]?.version = version
  }

  /// Gives each item a place of its own, by the files only: its position, unless files with the
  /// same were copied together by hand.
  private func setPlaces() {
    var next = 0
    let sorted = items.filter(\.value.isReadable).sorted {
      $0.value.header.position != $1.value.header.position
        ? $0.value.header.position < $1.value.header.position
        : $0.key.hexadecimal < $1.key.hexadecimal
    }
    for (digest, var item) in sorted {
      let place = max(item.header.position, next)
      if item.place != place {
        item.place = place
        put(item, digest)
      }
      next = place + 1
    }
    // After the last position, which only a file written by hand has, items share it.
    nextPosition = min(max(nextPosition, next), DiskItemHeader.positions.upperBound - 1)
  }
}
