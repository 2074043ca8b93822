internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// Implements `panda show FILE`: prints a picture file at the cursor.
///
/// It uses no database, no network and no screen.
@MainActor
enum ShowCommand {
  private static let limit = PictureLimits.ownFiles.bytes

  /// Returns whether an argument means a file: one that exists, or what cannot be an ID.
  static func isFile(_ argument: String) -> Bool {
    argument == "-" || access(argument, F_OK) == 0 || !PictureLookup.mayBePicture(argument)
  }

  /// Prints the picture, and returns the exit status.
  ///
  /// - Parameters:
  ///   - configuration: how to show pictures in a terminal, and with which symbols.
  ///   - asBytes: whether to print the bytes of the file as they are.
  ///   - log: receives why the picture cannot be shown.
  static func run(
    _ file: String, asBytes: Bool, _ options: Options, _ configuration: Configuration, log: Log
  ) async -> ExitStatus {
    do {
      let data = try read(file)
      guard !asBytes else {
        try TerminalGuard.write(Array(data), to: STDOUT_FILENO)
        return .done
      }
      return try await print(
        data, named: shown(file), options, configuration, plays: true, log: log)
    } catch let failure as CommandFailure {
      log.error(.storage, failure.sentence)
      StandardError.print("panda: \(failure.sentence)")
      return failure.status
    } catch let error as TerminalError where error.code == EPIPE {
      // The reader is gone, and needs no message.
      return .failed
    } catch {
      let subject = error is TerminalError ? "standard output" : shown(file)
      log.error(Log.Area(of: error), "\(subject): \(technicalCause(of: error))")
      StandardError.print("panda: \(subject): \(userMessage(for: error))")
      return .failed
    }
  }

  /// Prints a picture with a name, and says if it is damaged.
  ///
  /// - Parameters:
  ///   - plays: whether an animation is played in a terminal, until a key is pressed.
  ///   - lines: what will be printed below the picture, which leaves room for it.
  ///   - log: receives why its colors may not be true.
  static func print(
    _ data: Data, named name: String, _ options: Options, _ configuration: Configuration,
    plays: Bool = false, above lines: [String] = [], log: Log = .off
  ) async throws -> ExitStatus {
    var printer = PicturePrinter(
      configuration: configuration, named: options.graphics, size: options.size)
    printer.plays = plays
    printer.log = log
    printer.linesBelow = lines
    if try await printer.print(data, name: name) {
      StandardError.print("panda: \(name) is damaged; this is what is left")
    }
    return .done
  }

  /// Reads a file, or standard input for `-`, to its end.
  static func read(_ file: String) throws -> Data {
    let descriptor = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(file, errno) }
    defer { close(descriptor) }
    // A file is read at once; input of unknown size is read until it ends.
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let byteCount = Int(status.st_size)
    if isFile, byteCount > limit { throw PictureError(.tooManyBytes(byteCount, limit: limit)) }
    var data = Data(count: isFile ? byteCount + 1 : 1 << 16)
    var count = 0
    while true {
      if count == data.count { data.append(Data(count: data.count)) }
      let received = data.withUnsafeMutableBytes { bytes in
        Glibc.read(descriptor, bytes.baseAddress! + count, bytes.count - count)
      }
      if received < 0, errno == EINTR { continue }
      guard received >= 0 else { throw failure(file, errno) }
      if received == 0 { break }
      count += received
      guard count <= limit else {
        throw CommandFailure(
          "\(shown(file)): This picture is too large: Panda opens up to "
            + "\(limit / 1_000_000) MB", .failed)
      }
    }
    data.removeSubrange(count...)
    return data
  }

  private static func failure(_ file: String, _ code: Int32) -> CommandFailure {
    CommandFailure(
      "\(shown(file)): \(SystemError(code: code))", code == ENOENT ? .notFound : .failed)
  }

  private static func shown(_ file: String) -> String {
    file == "-" ? "standard input" : file.sanitized(upTo: 200)
  }
}
