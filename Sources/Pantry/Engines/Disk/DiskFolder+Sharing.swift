internal import Locking

extension DiskFolder {
  /// Returns the shared object of a directory, whatever the path; read-only engines share a
  /// separate one.
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

  /// Records that this object now belongs to another directory.
  ///
  /// If that directory has an object already, there are two, like those of two processes.
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

  private static let known = Lock<[Name: WeakFolder]>([:])
}
