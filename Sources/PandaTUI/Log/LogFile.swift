internal import FoundationEssentials
internal import Glibc
internal import SystemSupport
internal import PandaCore
internal import Pantry

/// The file of the log, which several processes may write at once.
///
/// Each line is one write(2) at the end of the file, which takes microseconds. At
/// ``standardLimit`` the file becomes `panda.log.1`, and the former one of that name is removed. A
/// failure is reported once, and disturbs nothing else.
final class LogFile: Sendable {
  /// The greatest size of the file, in bytes.
  static let standardLimit = 1_000_000

  let path: String
  private let limit: Int
  private let now: @Sendable () -> Date
  private let onFailure: @Sendable (LogFileError) -> Void
  private let state: Lock<State>

  private struct State {
    /// -1 until the first line.
    var descriptor: Int32 = -1
    /// Whether only a part of the last line was written.
    var isMidLine = false
    var hasFailed = false
  }

  /// Creates the log; the file is made with the first line.
  ///
  /// - Parameters:
  ///   - directory: the directory, which is made if necessary.
  ///   - limit: the greatest size of the file, in bytes.
  ///   - onFailure: called once, if a line cannot be written.
  init(
    in directory: URL = LogFile.standardDirectory, limit: Int = standardLimit,
    now: @escaping @Sendable () -> Date = { Date() },
    onFailure: @escaping @Sendable (LogFileError) -> Void
  ) {
    path = Self.path(in: directory)
    self.limit = limit
    self.now = now
    self.onFailure = onFailure
    state = Lock(State())
  }

  deinit { state.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

  /// `$XDG_STATE_HOME/panda`.
  static var standardDirectory: URL { StorageDirectory.state(appendingPath: "panda").url }

  /// Returns the path of the log in a directory.
  static func path(in directory: URL = standardDirectory) -> String {
    directory.appending(path: "panda.log").path(percentEncoded: false)
  }

  /// The log that ends in this file.
  var log: Log { Log { self.write($0) } }

  private func write(_ entry: Log.Entry) {
    let line = LogLine(entry, at: now(), process: getpid())
    let failure = state.withLock { state -> LogFileError? in
      do throws(LogFileError) {
        try append(Array("\(line.text)\n".utf8), &state)
        return nil
      } catch {
        defer { state.hasFailed = true }
        return state.hasFailed ? nil : error
      }
    }
    if let failure { onFailure(failure) }
  }

  // MARK: The file

  private func append(_ line: [UInt8], _ state: inout State) throws(LogFileError) {
    if state.descriptor >= 0, !isCurrent(state.descriptor) { closeFile(&state) }
    if state.descriptor < 0 { state.descriptor = try openFile() }
    let size = size(of: state.descriptor)
    if size > 0, size + line.count > limit { try rotate(&state) }
    let bytes = state.isMidLine ? [UInt8(ascii: "\n")] + line : line
    var written = 0
    repeat {
      written = Glibc.write(state.descriptor, bytes, bytes.count)
    } while written < 0 && errno == EINTR
    guard written >= 0 else { throw error(errno) }
    state.isMidLine = written < bytes.count
    // The rest would be refused: the disk became full in the middle.
    if state.isMidLine { throw error(ENOSPC) }
  }

  private func openFile() throws(LogFileError) -> Int32 {
    // O_NONBLOCK: a named pipe without a reader must not stop the program.
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    var descriptor = open(path, flags, 0o600)
    if descriptor < 0, errno == ENOENT {
      try makeDirectory()
      descriptor = open(path, flags, 0o600)
    }
    guard descriptor >= 0 else { throw error(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw error(ENOTSUP)
    }
    // It fails for a file of another user, which that user's permissions then allow to write.
    if status.st_mode & 0o077 != 0 { fchmod(descriptor, 0o600) }
    return descriptor
  }

  private func makeDirectory() throws(LogFileError) {
    do {
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw self.error(SystemError(error)?.code ?? ENOENT)
    }
  }

  /// Whether the descriptor is of the file that is at the path now.
  ///
  /// Another process may have rotated it, and a user may have removed it.
  private func isCurrent(_ descriptor: Int32) -> Bool {
    var (own, other) = (stat(), stat())
    return fstat(descriptor, &own) == 0 && lstat(path, &other) == 0 && own.st_ino == other.st_ino
      && own.st_dev == other.st_dev
  }

  private func size(of descriptor: Int32) -> Int {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Begins a new file.
  private func rotate(_ state: inout State) throws(LogFileError) {
    // The process that has the lock rotates; the others go on, and follow with their next line.
    guard flock(state.descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    // Another process may have done it just before.
    if isCurrent(state.descriptor), rename(path, path + ".1") != 0 {
      let code = errno
      closeFile(&state)
      throw error(code)
    }
    closeFile(&state)
    state.descriptor = try openFile()
  }

  private func closeFile(_ state: inout State) {
    close(state.descriptor)
    state.descriptor = -1
  }

  private func error(_ code: Int32) -> LogFileError { LogFileError(path: path, code: code) }
}
