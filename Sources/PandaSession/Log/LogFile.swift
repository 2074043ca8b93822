package import FoundationEssentials
internal import Glibc
internal import SystemSupport
internal import PandaCore
internal import Pantry

/// The file of the log, which several processes may write at once.
///
/// Each line is one write(2) at the end of the file, which takes microseconds. Above
/// ``standardLimit`` the file restarts. A failure is reported once, and affects nothing else.
package final class LogFile: Sendable {
  /// The greatest size of the file, in bytes.
  static let standardLimit = 1_000_000

  let path: String
  private let limit: Int
  private let now: @Sendable () -> Date
  private let onFailure: @Sendable (FileError) -> Void
  private let state: Lock<State>

  private struct State {
    /// -1 until the first line.
    var descriptor: Int32 = -1
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
    onFailure: @escaping @Sendable (FileError) -> Void
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
  package static func path(in directory: URL = standardDirectory) -> String {
    directory.appending(path: "panda.log").path(percentEncoded: false)
  }

  var log: Log { Log { self.write($0) } }

  private func write(_ entry: Log.Entry) {
    let line = LogLine(entry, at: now(), process: getpid())
    let failure = state.withLock { state -> FileError? in
      do throws(FileError) {
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

  private func append(_ line: [UInt8], _ state: inout State) throws(FileError) {
    if state.descriptor < 0 { state.descriptor = try openFile() }
    var status = stat()
    if fstat(state.descriptor, &status) == 0, Int(status.st_size) + line.count > limit,
      ftruncate(state.descriptor, 0) != 0
    {
      throw error(errno)
    }
    var written = 0
    repeat {
      written = Glibc.write(state.descriptor, line, line.count)
    } while written < 0 && errno == EINTR
    // The rest of a line would be refused: the disk became full in the middle.
    guard written == line.count else { throw error(written < 0 ? errno : ENOSPC) }
  }

  private func openFile() throws(FileError) -> Int32 {
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

  private func makeDirectory() throws(FileError) {
    do {
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw self.error(SystemError(error)?.code ?? ENOENT)
    }
  }

  private func error(_ code: Int32) -> FileError { FileError(.write, path, code: code) }
}
