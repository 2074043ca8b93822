internal import FoundationEssentials
internal import Glibc
internal import PandaCore

/// `panda show FILE`: prints a picture as symbols.
///
/// It opens no database, no network and no screen.
enum ShowCommand {
  /// Why there is nothing to show.
  private struct Failure: Error {
    let sentence: String
    let status: Int32
  }

  /// Prints the picture, and returns the exit status.
  static func run(
    _ file: String, _ options: Options, symbols: SymbolsOption
  ) async -> Int32 {
    do {
      let data = try read(file)
      let header = try PictureDecoder.header(of: data)
      let (room, cell) = room(options.size)
      let size = fitted(header.size, in: room, cell: cell)
      let output = output(options.graphics ?? .auto, symbols)
      let pixels = output.pixelsPerCell(cell)
      let target = PixelSize(
        width: size.columns * pixels.width, height: size.rows * pixels.height)
      let decoded = try await PictureDecoder().decode(data, covering: target)
      guard
        let picture = output.prepare(decoded.bitmap, encoded: nil, filling: size, cell: cell)
          as? SymbolPicture
      else { return 1 }
      try TerminalGuard.write(picture.lines, to: STDOUT_FILENO)
      if decoded.isIncomplete {
        Panda.say("panda: \(shown(file)) is damaged; this is what is left")
      }
      return 0
    } catch let failure as Failure {
      Panda.say("panda: \(failure.sentence)")
      return failure.status
    } catch is TerminalError {
      // Who reads has gone.
      return 1
    } catch {
      Panda.say("panda: \(shown(file)): \(calmSentence(for: error))")
      return 1
    }
  }

  private static func read(_ file: String) throws(Failure) -> Data {
    let limit = PictureLimits.standard.bytes
    let descriptor = file == "-" ? dup(STDIN_FILENO) : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure(sentence: "\(shown(file)): \(reason)", status: errno == ENOENT ? 5 : 1)
    }
    defer { close(descriptor) }
    // A file is read at once; what tells no size grows by what comes.
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let expected = isFile ? min(Int(status.st_size), limit) + 1 : 1 << 16
    var data = Data(count: max(1, expected))
    var count = 0
    while count <= limit {
      if count == data.count { data.append(Data(count: data.count)) }
      let received = data.withUnsafeMutableBytes { bytes in
        Glibc.read(descriptor, bytes.baseAddress! + count, bytes.count - count)
      }
      if received < 0, errno == EINTR { continue }
      guard received >= 0 else {
        throw Failure(
          sentence: "\(shown(file)): \(String(cString: strerror(errno)))", status: 1)
      }
      if received == 0 { break }
      count += received
    }
    data.removeSubrange(count...)
    // More than the limit: the decoder refuses it, and says so.
    return data
  }

  private static func shown(_ file: String) -> String {
    file == "-" ? "standard input" : file.sanitized(upTo: 200)
  }

  /// How many cells there are, and their size: those of the terminal but the prompt's row.
  private static func room(_ wanted: CellSize?) -> (CellSize, PixelSize) {
    var window = winsize()
    var size = CellSize(columns: 80, rows: 24)
    var cell = PixelSize(width: 8, height: 16)
    if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 1 {
      size = CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row) - 1)
      let measured = PixelSize(
        width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
      if measured.width > 0, measured.height > 0 { cell = measured }
    }
    return (wanted ?? size, cell)
  }

  private static func fitted(_ picture: PixelSize, in room: CellSize, cell: PixelSize) -> CellSize {
    let pixels = picture.fitted(
      in: PixelSize(width: room.columns * cell.width, height: room.rows * cell.height))
    return CellSize(
      columns: min(room.columns, max(1, (pixels.width + cell.width / 2) / cell.width)),
      rows: min(room.rows, max(1, (pixels.height + cell.height / 2) / cell.height)))
  }

  /// Symbols in the terminal's colours; in a pipe all colours, for who reads them wants them.
  ///
  /// The terminal is not asked, so sextants are shown where the setting says so.
  private static func output(
    _ graphics: GraphicsOption, _ symbols: SymbolsOption
  ) -> SymbolOutput {
    let environment = TerminalEnvironment.current
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let depth: ColorDepth =
      environment.wantsNoColor
      ? .mono
      : isTerminal
        ? ColorDepth(
          environment: environment,
          declared: TerminalDatabase.colors(of: environment.term, on: STDOUT_FILENO),
          product: environment.version?.product) : .direct
    let profile = TerminalProfile(environment: environment, isUnicode: localeShowsUnicode)
    let choice = SymbolChoice(for: profile, option: graphics == .ascii ? .ascii : symbols)
    return SymbolOutput(symbols: choice.symbols, colors: .standard(depth))
  }
}
