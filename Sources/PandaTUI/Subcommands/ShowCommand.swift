internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Implements `panda show FILE`: prints a picture at the cursor.
///
/// It uses no database, no network and no screen.
@MainActor
enum ShowCommand {
  /// The reason why the picture cannot be shown.
  private struct Failure: Error {
    let sentence: String
    let status: ExitStatus
  }

  private static let limits = PictureLimits.ownFiles

  /// Prints the picture, and returns the exit status.
  ///
  /// - Parameter configuration: how to show pictures in a terminal, and with which symbols.
  static func run(
    _ file: String, _ options: Options, _ configuration: Configuration
  ) async -> Int32 {
    do {
      let data = try read(file)
      let header = try PictureDecoder.header(of: data, limits: limits)
      let terminal = ShowTerminal(configuration, named: options.graphics)
      defer { terminal.close() }
      guard let output = terminal.output else {
        try terminal.print(Array("\(words(of: header, file))\n".utf8))
        return ExitStatus.done.rawValue
      }
      let size = fitted(header.size, in: room(options.size, terminal), cell: terminal.cell)
      let pixels = output.pixelsPerCell(terminal.cell)
      let target = PixelSize(width: size.columns * pixels.width, height: size.rows * pixels.height)
      let decoded = try await PictureDecoder(limits: limits).decode(data, covering: target)
      let picture = output.prepare(
        decoded.bitmap, encoded: header.orientation == .topLeft ? data : nil, filling: size,
        cell: terminal.cell)
      try terminal.print(picture.printed)
      if decoded.isIncomplete {
        StandardError.print("panda: \(shown(file)) is damaged; this is what is left")
      }
      return ExitStatus.done.rawValue
    } catch let failure as Failure {
      StandardError.print("panda: \(failure.sentence)")
      return failure.status.rawValue
    } catch let error as TerminalError where error.code == EPIPE {
      // The reader is gone, and needs no message.
      return ExitStatus.failed.rawValue
    } catch {
      let subject = error is TerminalError ? "standard output" : shown(file)
      StandardError.print("panda: \(subject): \(userMessage(for: error))")
      return ExitStatus.failed.rawValue
    }
  }

  private static func read(_ file: String) throws -> Data {
    let limit = limits.bytes
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
        throw Failure(
          sentence: "\(shown(file)): This picture is too large: Panda opens up to "
            + "\(limit / 1_000_000) MB", status: .failed)
      }
    }
    data.removeSubrange(count...)
    return data
  }

  private static func failure(_ file: String, _ code: Int32) -> Failure {
    Failure(
      sentence: "\(shown(file)): \(SystemError(code: code))",
      status: code == ENOENT ? .notFound : .failed)
  }

  private static func shown(_ file: String) -> String {
    file == "-" ? "standard input" : file.sanitized(upTo: 200)
  }

  /// Returns a description for when pictures are not shown.
  private static func words(of header: PictureHeader, _ file: String) -> String {
    "\(shown(file)): \(header.format.name), \(header.size.width)x\(header.size.height)"
  }

  /// Returns how many cells may be used.
  ///
  /// At most the size of the terminal: a larger picture would scroll while it is drawn.
  private static func room(_ wanted: CellSize?, _ terminal: ShowTerminal) -> CellSize {
    guard let wanted else { return terminal.room }
    guard isatty(STDOUT_FILENO) == 1, !terminal.path.isText else { return wanted }
    return CellSize(
      columns: min(wanted.columns, terminal.room.columns),
      rows: min(wanted.rows, terminal.room.rows))
  }

  private static func fitted(_ picture: PixelSize, in room: CellSize, cell: PixelSize) -> CellSize {
    let pixels = picture.fitted(
      in: PixelSize(width: room.columns * cell.width, height: room.rows * cell.height))
    return CellSize(
      columns: min(room.columns, max(1, (pixels.width + cell.width / 2) / cell.width)),
      rows: min(room.rows, max(1, (pixels.height + cell.height / 2) / cell.height)))
  }
}

extension PicturePath {
  /// Whether it consists of lines of characters.
  fileprivate var isText: Bool {
    switch self {
    case .symbols, .none: true
    case .kittyPlaceholders, .kittyPlacement, .sixel, .iterm2: false
    }
  }
}
