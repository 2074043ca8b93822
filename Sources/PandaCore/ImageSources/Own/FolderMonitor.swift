internal import Glibc
internal import SystemSupport

/// Detects changes to the files in a folder and in those below it, by inotify(7).
///
/// The kernel queues the events until they are read: nothing wakes the program.
final class FolderMonitor: Sendable {
  private static let mask =
    IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR

  private let descriptor: Int32
  private let path: String
  /// The watch descriptor; 0 if there is none.
  private let number: Lock<Int32>

  /// Starts watching; nil if the system refuses.
  init?(_ path: String) {
    descriptor = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let watch = inotify_add_watch(descriptor, path, UInt32(Self.mask))
    guard watch >= 0 else {
      close(descriptor)
      return nil
    }
    self.path = path
    number = Lock(watch)
  }

  deinit { close(descriptor) }

  /// Watches folders, by their paths from the first one; those that are watched already stay so.
  func watch(_ folders: [FileName]) {
    for folder in folders {
      // Where the system refuses more, changes show at the next start.
      _ = inotify_add_watch(descriptor, folder.path(in: path), UInt32(Self.mask))
    }
  }

  /// Returns whether something has changed since the last call.
  func hasChanged() -> Bool {
    var hasChanged = false
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      // The file names do not matter: the folder is reread.
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        var offset = 0
        while offset < count {
          let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
          // A file that was only created is still empty: it is reported again when it is closed.
          let isFolder = event.mask & UInt32(IN_ISDIR) != 0
          if event.mask & UInt32(IN_CREATE) == 0 || isFolder { hasChanged = true }
          offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
      }
    }
    // The watch ends when the folder is deleted. A new folder with the same name needs a new watch;
    // for one already watched, the kernel returns the same number.
    let watch = max(0, inotify_add_watch(descriptor, path, UInt32(Self.mask)))
    return number.withLock { number in
      defer { number = watch }
      return hasChanged || watch != number
    }
  }
}
