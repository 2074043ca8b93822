internal import Synchronization

extension DiskFolder {
  /// Returns the one object for a directory, by whatever path it was reached.
  static func shared(_ opened: OpenFolder) throws -> DiskFolder {
    try known.withLock { known in
      if let folder = known[opened.identity]?.folder { return folder }
      let folder = try DiskFolder(opened)
      known = known.filter { $0.value.folder != nil }
      known[opened.identity] = WeakFolder(folder: folder)
      return folder
    }
  }

  /// Notes that this object is now for another directory.
  ///
  /// If that has an object already, there are two, like those of two processes.
  func moved(from former: FileIdentity, to identity: FileIdentity) {
    DiskFolder.known.withLock { known in
      guard known[former]?.folder === self else { return }
      known[former] = nil
      if known[identity]?.folder == nil { known[identity] = WeakFolder(folder: self) }
    }
  }

  private struct WeakFolder {
    weak var folder: DiskFolder?
  }

  private static let known = Mutex<[FileIdentity: WeakFolder]>([:])
}
