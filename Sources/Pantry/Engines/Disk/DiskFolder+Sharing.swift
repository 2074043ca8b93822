internal import Synchronization

extension DiskFolder {
  /// A share in the one `DiskFolder` that a process has for a directory.
  ///
  /// The last share to go lets go of the directory, at once: whoever opens it next can take it.
  final class Share: Sendable {
    let folder: DiskFolder

    /// Opens the directory, or joins those who have it open.
    init(_ opened: OpenFolder) throws {
      folder = try DiskFolder.shared.withLock { shared in
        let folder = try shared[opened.identity]?.folder ?? DiskFolder(opened)
        shared[opened.identity, default: Shared(folder: folder, shares: 0)].shares += 1
        return folder
      }
    }

    deinit {
      let identity = folder.folder.identity
      // Counted by hand: a weak reference would be nil a moment before the lock is let go.
      DiskFolder.shared.withLock { shared in
        shared[identity]?.shares -= 1
        if shared[identity]?.shares == 0 {
          shared[identity]?.folder.close()
          shared[identity] = nil
        }
      }
    }
  }

  private struct Shared {
    let folder: DiskFolder
    var shares: Int
  }

  private static let shared = Mutex<[OpenFolder.Identity: Shared]>([:])
}
