internal import FoundationEssentials
package import TerminalKit

/// Copies text to the clipboard of the terminal's computer, also across ssh.
///
/// Uses OSC 52 (xterm's control sequences, "Manipulate Selection Data"). No terminal acknowledges
/// it, so success cannot be detected.
package enum Clipboard {
  /// The longest text in bytes of UTF-8.
  ///
  /// tmux and others drop sequences of more than 100,000 bytes of base 64.
  static let limit = 74_000

  /// A way to copy a text to the clipboard.
  package enum Action: Hashable, Sendable {
    /// Write these bytes to the terminal.
    case write([UInt8])
    /// Run a program with this input, see ``run(_:input:environment:)``; if it fails, write the
    /// bytes.
    case run([String], input: [UInt8], otherwise: [UInt8])
    case refuse(String)
  }

  /// Decides how to copy a text.
  ///
  /// The text is sanitized to one line: where it is pasted, a line break could execute it.
  package static func action(copying text: String, in environment: TerminalEnvironment) -> Action {
    guard text.utf8.count <= limit else {
      return .refuse("The text is too long for the clipboard, which takes \(ByteCount(limit))")
    }
    guard !environment.isDumb, !environment.understandsLittle else {
      return .refuse("This terminal has no clipboard")
    }
    let line = text.sanitized(upTo: limit)
    let sequence = "\u{1B}]52;c;\(Data(line.utf8).base64EncodedString())\u{1B}\\"
    // TMUX takes precedence: a screen inside tmux inherits it, and tmux reaches the terminal.
    if environment["TMUX"] != nil {
      // -w copies with every value of set-clipboard, whose default ignores OSC 52 from inside.
      return .run(
        ["tmux", "load-buffer", "-w", "-"], input: Array(line.utf8),
        otherwise: Array(TerminalQuestions.wrappedForTmux(sequence).utf8))
    }
    if environment["STY"] != nil, environment.term.hasPrefix("screen") {
      return .write(wrappedForScreen(line))
    }
    return .write(Array(sequence.utf8))
  }

  /// Runs the program of an action, off the main actor, and returns whether it succeeded.
  ///
  /// - Parameter environment: `NAME=value` for each variable; nil means this process's environment.
  package static func run(
    _ arguments: [String], input: [UInt8], environment: [String]? = nil
  ) async -> Bool {
    let program = ChildProgram(arguments: arguments, input: input, environment: environment)
    // A hanging tmux server must not keep its client running.
    return await program.run(patience: .seconds(2), then: .kill) == .exited(0)
  }

  /// Wraps a sequence for GNU screen, which forwards `DCS ... ST`.
  ///
  /// Old releases hold 256 bytes of it.
  private static func wrappedForScreen(_ line: String) -> [UInt8] {
    // ST would end screen's DCS; BEL ends the OSC as well.
    let sequence = Array("\u{1B}]52;c;\(Data(line.utf8).base64EncodedString())\u{7}".utf8)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: sequence.count, by: 240) {
      bytes += "\u{1B}P".utf8
      bytes += sequence[start..<min(start + 240, sequence.count)]
      bytes += "\u{1B}\\".utf8
    }
    return bytes
  }
}
