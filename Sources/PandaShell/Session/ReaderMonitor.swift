internal import Dispatch
internal import Glibc

/// Notices when the reader of a pipe or a socket leaves, which only a write would show otherwise.
///
/// A queue waits for that in poll(2): a dispatch source on the writing end is never called.
final class ReaderMonitor: Sendable {
  /// Closing it ends the wait.
  private let stop: Int32

  /// - Parameters:
  ///   - descriptor: the end to write to.
  ///   - handler: called once, on that queue.
  /// - Returns: nil if the descriptor has no reader that can leave, such as a file.
  init?(_ descriptor: Int32, handler: @escaping @Sendable () -> Void) {
    var status = stat()
    var ends: [Int32] = [-1, -1]
    guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT),
      pipe(&ends) == 0
    else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stop = ends[1]
    let stopped = ends[0]
    DispatchQueue(label: "panda.reader").async {
      defer { close(stopped) }
      // No events: errors and hang-ups are always reported.
      var waiting = [
        pollfd(fd: descriptor, events: 0, revents: 0), pollfd(fd: stopped, events: 0, revents: 0),
      ]
      while poll(&waiting, 2, -1) < 0, errno == EINTR {}
      if waiting[1].revents == 0 { handler() }
    }
  }

  deinit { close(stop) }
}
