internal import Synchronization

extension DiskFolder {
  /// Returns the one object for a directory, by whatever path it was reached; read-only engines share
  /// one of their own.
  static func shared(_ opened: OpenFolder) throws -> DiskFolder {
    try known.withLock { known in
      let name = Name(identity: opened.identity, isReadOnly: opened.isReadOnly)
      if let folder = known[name]?.folder { return folder }
      let folder = try DiskFolder(opened)
      known = known.filter { $0.value.folder != nil }
      known[name] = WeakFolder(folder: folder)
      return folder
    }
  }

  /// Notes that this object is now for another directory.
  ///
  /// If that has an object already, there are two, like those of two processes.
  func moved(from former: FileIdentity, to identity: FileIdentity) {
    let former = Name(identity: former, isReadOnly: isReadOnly)
    let name = Name(identity: identity, isReadOnly: isReadOnly)
    DiskFolder.known.withLock { known in
      guard known[former]?.folder === self else { return }
      known[former] = nil
      if known[name]?.folder == nil { known[name] = WeakFolder(folder: self) }
    }
  }

  private struct Name: Hashable {
    let identity: FileIdentity
    let isReadOnly: Bool
  }

  private struct WeakFolder {
    weak var folder: DiskFolder?
  }

  private static let known = Mutex<[Name: WeakFolder]>([:])
}
