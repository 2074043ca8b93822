internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import SystemSupport
internal import TerminalKit

/// Prints a picture at the cursor; that of a file without a database.
@MainActor
enum ShowCommand {
  nonisolated static let subcommand = Subcommand(
    "show", in: .both, like: .favorites(.show), options: [.size, bytes],
    operands: [CommandLineValue("ID|FILE", .files)],
    missing: "the ID of a favorite, or the name of a picture file, or - for standard input",
    meansShown: true,
    summary: "print a favorite or a picture file; - is standard input",
    discussion: "Prints a picture: a favorite, one in the trash, or a JPEG, PNG, WebP, GIF, "
      + "HEIC or AVIF "
      + "file; in a terminal as --graphics says, in a pipe as symbols unless --graphics is "
      + "given. In a terminal an animation plays until a key is pressed, or its loops have "
      + "ended. A file with the name wins over an ID."
  ) { arguments throws(UsageError) in
    let name = arguments.words[0]
    let asBytes = arguments.has(bytes)
    let size = try arguments.size()
    return .session(.favorites) { session in
      if let conversation = session.conversation {
        if asBytes { try session.requirePipe() }
        try session.requireReadable()
        if size == nil {
          return await conversation.describe(try await session.favoriteOrTrashed(name))
        }
      } else if ShowCommand.isFile(name) {
        return try await ShowCommand.showFile(name, asBytes: asBytes, session, size: size)
      }
      try await ShowCommand.show(name, asBytes: asBytes, session, size: size)
    }
  }

  private nonisolated static let bytes = CommandLineOption(
    "bytes", help: "print the bytes of the picture file as they are")

  private static let limit = PictureLimits.ownFiles.bytes

  /// Returns whether an argument means a file: one that exists, or what cannot be an ID.
  static func isFile(_ argument: String) -> Bool {
    argument == "-" || access(argument, F_OK) == 0 || !PictureLookup.mayBePicture(argument)
  }

  private static func showFile(
    _ file: String, asBytes: Bool, _ session: Session, size: CellSize?
  ) async throws {
    do {
      let data = try read(file)
      if asBytes { return try session.output.write(data) }
      session.output.note(
        try await print(data, named: shown(file), session, size: size, plays: true))
    } catch let error as TerminalError {
      // A reader that is gone needs no message.
      if error.code == EPIPE { throw Output.Closed() }
      throw CommandFailure("standard output", because: error)
    } catch {
      throw CommandFailure(shown(file), because: error)
    }
  }

  private static func show(
    _ id: String, asBytes: Bool, _ session: Session, size: CellSize?
  ) async throws {
    let image = try await session.favoriteOrTrashed(id)
    let data = try await session.reading { try await image.dataRepresentation.data() }
    if asBytes { return try session.output.write(data) }
    try session.output.flush()
    do {
      session.output.note(
        try await print(
          data, named: image.name, session, size: size, plays: session.output.canAsk))
    } catch {
      throw CommandFailure(image.name, because: error)
    }
  }

  /// Prints a picture with a name, and says if it is damaged.
  ///
  /// - Parameters:
  ///   - size: the most cells; nil means the size of the terminal.
  ///   - plays: whether an animation is played in a terminal, until a key is pressed.
  ///   - lines: what will be printed below the picture, which leaves room for it.
  static func print(
    _ data: Data, named name: String, _ session: Session, size: CellSize?, plays: Bool = false,
    above lines: [String] = []
  ) async throws -> ExitStatus {
    var printer = PicturePrinter(session: session, size: size)
    printer.plays = plays
    printer.linesBelow = lines
    if let issue = try await printer.print(data, name: name) {
      session.output.fail(CommandFailure("\(name) \(issue)", .done))
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
      // What is no picture is not read to its end, which may never come.
      if !isFile, count >= 64, count - received < 64 {
        let format = data.withUnsafeBytes { PictureFormat(sniffing: $0) }
        if [nil, .html, .video].contains(format) { throw PictureError(.notAPicture(format)) }
      }
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
