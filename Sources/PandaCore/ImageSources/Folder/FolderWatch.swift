internal import Glibc
internal import Synchronization

/// Tells whether the files in a folder have changed, by inotify(7).
///
/// The kernel keeps the events until they are asked for: nothing wakes the program.
final class FolderWatch: Sendable {
  private static let mask =
    IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR

  private let descriptor: Int32
  private let path: String
  /// The number of the watch; 0 while there is none.
  private let number: Mutex<Int32>

  /// Begins to watch; nil if the system does not let it.
  init?(_ path: String) {
    descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let watch = inotify_add_watch(descriptor, path, UInt32(Self.mask))
    guard watch >= 0 else {
      close(descriptor)
      return nil
    }
    self.path = path
    number = Mutex(watch)
  }

  deinit { close(descriptor) }

  /// Whether something has changed since this was asked last.
  func hasChanged() -> Bool {
    var hasChanged = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      // Which files they are does not matter: the folder is read again.
      while read(descriptor, buffer.baseAddress, buffer.count) > 0 { hasChanged = true }
    }
    // The watch ends with the folder. One with its name that came later is another: asked for the
    // one that is watched, the kernel gives the same number.
    let watch = max(0, inotify_add_watch(descriptor, path, UInt32(Self.mask)))
    return number.withLock { number in
      defer { number = watch }
      return hasChanged || watch != number
    }
  }
}
