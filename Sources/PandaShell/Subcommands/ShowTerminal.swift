internal import Glibc
internal import PandaSession
internal import PictureCodecs
internal import TerminalKit

/// The output of `panda show`: a terminal that can be queried, or a pipe.
@MainActor
final class ShowTerminal {
  /// The method by which the picture is printed.
  var path: PictureMethod { choice.path }
  /// The way in which the picture is printed, with the reason for it.
  let choice: PictureChoice
  let room: CellSize
  let cell: PixelSize
  let profile: TerminalProfile
  var terminalGuard: TerminalGuard?
  /// The terminal that keys and answers are read from; -1 for none.
  var input: Int32
  /// The answers that are still outstanding.
  var early: EarlyInput?
  /// The bytes that restore the screen between two prints.
  private var restore = ""

  /// The time to wait for answers, now and again before the shell reads.
  ///
  /// Longer than when the program is launched, because a late answer cannot cause a redraw.
  private static let patience = TerminalDetection.Patience.ofUser(
    else: TerminalDetection.Patience(terminal: .seconds(1), tmux: .seconds(1)))

  /// Queries the terminal, if standard output is one and the answer matters.
  ///
  /// - Parameters:
  ///   - session: how to show pictures in a terminal, and with which symbols; in a pipe only the
  ///     choice on the command line counts.
  ///   - known: what is known of terminals; then this one is not asked.
  init(_ session: Session, knowing known: KnownTerminals? = nil) {
    let graphics = session.configuration.graphics
    let symbols = session.configuration.symbols
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var profile =
      known?.profile(of: .current, isUnicode: localeShowsUnicode)
      ?? TerminalProfile(environment: .current, isUnicode: localeShowsUnicode)
    var input: Int32 = -1
    if isTerminal {
      if known == nil { HandoverFiles.own.removeAbandoned() }
      profile.declaredColors = TerminalDatabase.colors(
        of: profile.environment.term, on: STDOUT_FILENO)
      if known == nil, graphics.dependsOnAnswers(symbols), !profile.environment.isDumb {
        input = Self.ownTerminal()
      }
    }
    self.input = input
    if input >= 0, let terminalGuard = Self.guardTerminal() {
      self.terminalGuard = terminalGuard
      (profile, early) = TerminalDetection.detect(
        input: input, output: STDOUT_FILENO, patience: Self.patience)
    }
    profile.windowCell = TerminalWindow(of: STDOUT_FILENO).cell
    cell = profile.cell ?? .assumedCell
    room = Self.room
    self.profile = profile
    choice =
      isTerminal
      ? PictureChoice(for: profile, option: graphics, symbols: symbols).whereTextScrolls
      : PictureChoice(inPipe: session.options.graphics, profile, symbols)
  }

  /// The output that makes pictures; nil if none are shown.
  var output: (any PictureOutput)? { path.outputInText(profile: profile) }

  /// Prints bytes; a signal in between ends the half-written sequence.
  func print(_ bytes: [UInt8]) throws(TerminalError) {
    try terminalGuard?.setRestore("\u{1B}\\\u{1B}[?2026l\u{1B}[0m" + restore)
    try TerminalGuard.write(bytes, to: STDOUT_FILENO)
    try terminalGuard?.setRestore(restore)
  }

  /// Prepares for printing one frame after the other, until keys are pressed.
  ///
  /// False if the output is no terminal, or not one that keys can be read from.
  func beginPlaying() throws(TerminalError) -> Bool {
    guard isatty(STDOUT_FILENO) == 1, !profile.environment.isDumb else { return false }
    if input < 0 { input = Self.ownTerminal() }
    guard input >= 0, tcgetpgrp(input) == getpgrp() else { return false }
    if terminalGuard == nil { terminalGuard = Self.guardTerminal() }
    guard terminalGuard != nil, RawMode.begin(on: input) != nil else { return false }
    restore = "\u{1B}[?25h"
    try print(Array("\u{1B}[?25l".utf8))
    return true
  }

  func endPlaying() throws(TerminalError) {
    restore = ""
    try print(Array("\u{1B}[?25h".utf8))
  }

  /// Restores the terminal after its outstanding answers.
  func close() {
    if var early, early.owed.count > 0 {
      let end = ContinuousClock.now + Self.patience.terminal
      TerminalInput.read(input, until: end) { bytes in
        early.owed.receive(early.decoder.feed(bytes))
        return early.owed.count > 0
      }
    }
    terminalGuard?.restore()
    terminalGuard?.uninstall()
    terminalGuard = nil
    if input > STDERR_FILENO { Glibc.close(input) }
  }

  /// Returns the terminal on standard output for reading; -1 if it must not be queried.
  private static func ownTerminal() -> Int32 {
    // In the background, a query would stop the program.
    guard tcgetpgrp(STDOUT_FILENO) == getpgrp() else { return -1 }
    return isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : open("/dev/tty", O_RDWR | O_CLOEXEC)
  }

  private static func guardTerminal() -> TerminalGuard? {
    do {
      let terminalGuard = try TerminalGuard()
      try terminalGuard.install(restoring: "") { _ in }
      return terminalGuard
    } catch {
      // If a terminal cannot be guarded, it is not queried.
      return nil
    }
  }

  /// The number of cells for a picture now, without the row of the prompt.
  static var room: CellSize {
    var size = TerminalWindow(of: STDOUT_FILENO).size
    if size.rows > 1 { size.rows -= 1 }
    return size
  }
}

extension GraphicsOption {
  fileprivate func dependsOnAnswers(_ symbols: SymbolsOption) -> Bool {
    switch self {
    case .auto, .kitty, .sixel, .iterm: true
    case .symbols: symbols == .auto
    case .ascii, .none: false
    }
  }
}

extension PictureChoice {
  /// Chooses for a pipe, where only the choice on the command line counts.
  fileprivate init(
    inPipe named: GraphicsOption?, _ profile: TerminalProfile, _ symbols: SymbolsOption
  ) {
    // All colors: the reader can handle them, unless the terminal behind it is known not to.
    let symbols = PictureMethod.symbols(
      SymbolChoice(for: profile, option: named == .ascii ? .ascii : symbols).symbols,
      colors: profile.environment.wantsNoColor || profile.environment.term == "dumb"
        ? .mono : .direct)
    self = PictureChoice(
      path: named.flatMap { PictureMethod(inPipe: $0) } ?? symbols, reason: "The output is a pipe."
    ).withLoadedLibraries(else: symbols)
  }

  /// The corresponding choice for a picture among lines of text.
  ///
  /// A placement scrolls with the text, and needs no id that would have to be freed.
  fileprivate var whereTextScrolls: PictureChoice {
    path == .kittyPlaceholders(throughTmux: false)
      ? PictureChoice(path: .kittyPlacement, reason: reason) : self
  }
}

extension PictureMethod {
  /// Returns the path for a named option in a pipe; nil for symbols.
  fileprivate init?(inPipe option: GraphicsOption) {
    switch option {
    case .kitty: self = .kittyPlacement
    case .sixel: self = .sixel
    case .iterm: self = .iterm2
    case .none: self = .none
    case .auto, .symbols, .ascii: return nil
    }
  }
}
