internal import Dispatch
internal import FoundationEssentials
internal import Glibc
internal import SystemSupport

/// The files in memory in which pixels are handed to a terminal on this machine (`t=t`).
///
/// The terminal removes a file once it has read it, if it reads it at all. What it leaves is
/// removed here: after the time that a terminal needs, at the end of the program, and, if that was
/// killed, at the next start.
package final class HandoverFiles: Sendable {
  package static let own = HandoverFiles()

  /// A terminal removes only files in a directory for temporary ones whose path contains
  /// `tty-graphics-protocol`.
  private static let prefix = "tty-graphics-protocol-panda-"

  /// The age at which a file is no longer needed, even by a process that still runs.
  ///
  /// A process id that another program has taken over says nothing about the file.
  private static let greatestAge = 60.0

  private let directory: String
  private let process: pid_t
  /// The time in which a terminal reads a file that it was offered.
  private let patience: Duration
  private let paths = Lock<Set<String>>([])

  init(
    in directory: String = "/dev/shm", process: pid_t = getpid(), patience: Duration = .seconds(10)
  ) {
    self.directory = directory
    self.process = process
    self.patience = patience
  }

  /// Writes bytes to a new file, and returns its path; nil if that fails.
  func write(_ data: Data) -> String? {
    var template = Array("\(directory)/\(Self.prefix)\(process)-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)  // open only briefly
    let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    let isWhole = data.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
    guard isWhole else {
      unlink(path)
      return nil
    }
    paths.withLock { _ = $0.insert(path) }
    let seconds = patience / .seconds(1)
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds) { [weak self] in
      self?.remove(path)
    }
    return path
  }

  /// Removes all files that the terminal has left.
  ///
  /// Call it once the terminal needs none of them.
  package func removeAll() {
    for path in paths.withLock(\.self) { remove(path) }
  }

  /// Removes one file, if it is still there.
  func remove(_ path: String) {
    guard paths.withLock({ $0.remove(path) }) != nil else { return }
    unlink(path)  // The terminal has usually done it.
  }

  /// Removes what processes have left that were killed, in the background.
  package func removeAbandoned() {
    DispatchQueue.global(qos: .utility).async { [self] in removeAbandoned(at: time(nil)) }
  }

  func removeAbandoned(at now: time_t) {
    guard let folder = opendir(directory) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let process = Self.process(of: name), process != self.process else { continue }
      let path = "\(directory)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      let age = Double(now - status.st_mtim.tv_sec)
      // The pictures of `panda show` outlive it: its terminal may have yet to read them.
      let isRead = age >= patience / .seconds(1)
      if age >= Self.greatestAge || isRead && Self.isDead(process) { unlink(path) }
    }
  }

  /// Returns the process that a file is named after; nil for a file of another program.
  private static func process(of name: String) -> pid_t? {
    guard name.hasPrefix(prefix) else { return nil }
    return name.dropFirst(prefix.count).split(separator: "-").first.flatMap { pid_t($0) }
  }

  private static func isDead(_ process: pid_t) -> Bool {
    process > 0 && kill(process, 0) < 0 && errno == ESRCH
  }
}
