internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// An open directory of items, which all engines of the process on it share.
///
/// It is locked against other processes as long as it is open. So the items that were read once are
/// those of the directory, except for what a hand changes meanwhile.
///
/// Sendable: it is used on its queue only, apart from the lock.
final class DiskDirectory: @unchecked Sendable {
  let folder: OpenFolder
  let followers = StorageFollowers()
  let executor = QueueExecutor(
    ProcessContext.current.services.queue(label: "pantry.disk", isUrgent: true))
  /// Whether it is locked, and for writing.
  private let locked = Lock<Bool?>(nil)
  var items: [ContentDigest: DiskItem] = [:]
  /// Whether `items` are those of the directory: false until they are read, and after an error.
  var isLoaded = false
  /// Larger than every position that was seen.
  var nextPosition = 0
  /// The number in the names of temporary files, unique for each commit of any process.
  var lastCommit = Int(ProcessContext.current.services.random() >> 16)

  private init(_ folder: OpenFolder) { self.folder = folder }

  // A child process that is being spawned may hold a copy of the descriptor.
  deinit { _ = flock(folder.descriptor, LOCK_UN) }

  /// Returns the object for the directory that `folder` has opened.
  static func shared(_ folder: OpenFolder) -> DiskDirectory {
    let known = ProcessContext.current.object { WeakTable<FileIdentity>() }
    return known.object(folder.identity) { DiskDirectory(folder) }
  }

  /// Locks the directory; processes that only read share the lock.
  ///
  /// - Parameter patience: for the end of another process, or of an engine of this one.
  /// - Throws: ``StorageError/inUse(path:)`` if another process has it.
  func lock(forWriting: Bool, patience: Duration) throws {
    try locked.withLock { locked in
      guard locked == nil || forWriting && locked == false else { return }
      var wait = LockWait(patience: patience)
      while flock(folder.descriptor, (forWriting ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
        switch errno {
        case EWOULDBLOCK, EINTR: break
        case ENOLCK, ENOSYS, ENOTSUP, EINVAL:
          throw StorageError.unsupportedFileSystem(path: folder.path, lack: "locks")
        case let code: throw FileError(.lock, folder.path, code: code)
        }
        guard wait.pass() else { throw StorageError.inUse(path: folder.path) }
      }
      locked = forWriting
    }
  }

  // MARK: Loading

  /// Reads the headers of all files, unless they are known, after finishing an interrupted commit.
  ///
  /// - Throws: ``StorageError/needsWriting(path:reason:)`` if that must not be written.
  func load(mayWrite: Bool) throws {
    guard !isLoaded else { return }
    if mayWrite {
      try recover()
    } else if try folder.has(DiskFileName.journal) {
      // Temporary files are harmless; half of a commit is not.
      throw StorageError.needsWriting(
        path: folder.path, reason: "an interrupted commit must be finished first")
    }
    items = [:]
    for digest in try folder.names().compactMap(DiskFileName.item) {
      do {
        items[digest] = try content(digest) { item, _ in item }
      } catch StorageError.cannotOpen(_, let reason) {
        items[digest] = DiskItem(unreadable: digest, because: reason)
      }
    }
    setPlaces()
    isLoaded = true
  }

  /// Finishes an interrupted commit, and removes temporary files.
  func recover() throws {
    try DiskJournal.read(from: folder)?.finish(in: folder)
    for name in try folder.names() where DiskFileName.isTemporary(name) {
      do {
        try folder.remove(name)
      } catch let error as FileError where error.isDirectory {
        continue  // not one of ours
      }
    }
    // From here on no old journal or temporary file can come back.
    try folder.flush()
  }

  /// Gives each item a place of its own, by the files only: its position, unless files with the
  /// same were copied together by hand.
  private func setPlaces() {
    var next = 0
    let sorted = items.filter(\.value.isReadable).sorted {
      let (one, other) = ($0.value.header.position, $1.value.header.position)
      return one == other ? $0.key.hexadecimal < $1.key.hexadecimal : one < other
    }
    for (digest, item) in sorted {
      next = max(item.header.position, next)
      items[digest]?.place = next
      next += 1
    }
    // After the last position, which only a file written by hand has, items share it.
    nextPosition = min(next, DiskItemHeader.positions.upperBound - 1)
  }

  // MARK: Reading

  /// Reads the data of `key`, or nil; throws an error if it is not what was written.
  func data(_ key: CacheKey) throws -> Data? {
    let digest = Self.digest(key)
    return try content(digest) { item, file in
      if let reason = item.damage {
        throw StorageError.damagedFile(path: file.path, reason: reason)
      }
      return try item.data(in: file)
    }
  }

  /// Reads all items in insertion order, and what hides some.
  func allRows() throws -> [StorageRow] {
    try items.keys.compactMap { try row($0) }.sorted { $0.position < $1.position }
  }

  /// Reads an item, or the remains of a damaged one; nil if it is absent.
  func row(_ digest: ContentDigest) throws -> StorageRow? {
    guard let known = items[digest] else { return nil }
    func row(_ data: Data, _ reason: String?) -> StorageRow {
      let file = folder.path(of: DiskFileName.name(ofItem: digest))
      return StorageRow(
        key: known.key, data: data, position: known.place, reason: reason.map { "\(file): \($0)." })
    }
    do {
      return try content(digest) { item, file in
        row(try item.data(in: file), item.isReadable ? nil : item.damage)
      }
    } catch StorageError.cannotOpen(_, let reason) {
      return row(Data(), reason)
    }
  }

  /// Opens the file of an item and reads its header, unless that is known; nil if there is none.
  ///
  /// - Throws: ``StorageError/cannotOpen(path:reason:)`` if only this file cannot be read. Any
  ///   other error may affect every file, and must not make a full storage look empty.
  private func content<Result>(
    _ digest: ContentDigest, _ body: (DiskItem, OpenFile) throws -> Result
  ) throws -> Result? {
    let name = DiskFileName.name(ofItem: digest)
    do {
      guard let file = try folder.open(name) else { return nil }
      if let known = items[digest], try known.fits(file) { return try body(known, file) }
      return try body(DiskItem(file, digest), file)
    } catch let error as FileError where error.concernsOneFile {
      throw StorageError.cannotOpen(
        path: folder.path(of: name), reason: "\(SystemError(code: error.code))")
    }
  }

  static func digest(_ key: CacheKey) -> ContentDigest {
    ContentDigest(of: Data(key.rawValue.utf8))
  }
}
