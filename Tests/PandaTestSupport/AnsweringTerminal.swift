internal import CPseudoTerminal
internal import Glibc
internal import SystemSupport

/// A pseudo-terminal inside the test's own process, which answers one series of questions.
///
/// Code under test gets `descriptor`; a thread plays the terminal.
public final class AnsweringTerminal: Sendable {
  /// The program's side.
  public let descriptor: Int32
  private let master: Int32
  private let state = SharedState()

  private final class SharedState: Sendable {
    let output = Lock<[UInt8]>([])
    let thread = Lock<PosixThread?>(nil)
  }

  /// Opens a terminal without a window's size.
  ///
  /// - Throws: `TestFailure`.
  public init() throws {
    var name = [CChar](repeating: 0, count: 128)
    master = pt_open(&name, name.count)
    guard master >= 0 else { throw TestFailure("No pseudo-terminal: \(errorText(-master)).") }
    descriptor = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw TestFailure("No terminal: \(errorText(errno)).") }
  }

  deinit {
    // The thread's read fails once no process has the terminal open.
    close(descriptor)
    if let thread = state.thread.withLock({ $0 }) { thread.join() }
    close(master)
  }

  /// All that was printed so far.
  public var output: String { String(decoding: state.output.withLock { $0 }, as: UTF8.self) }

  /// How many bytes wait to be read by the program.
  ///
  /// In line mode only whole lines count.
  public var waitingInput: Int { Self.waiting(on: descriptor) }

  /// How many printed bytes wait to be read by the terminal.
  public var waitingOutput: Int { Self.waiting(on: master) }

  private static func waiting(on descriptor: Int32) -> Int {
    var count: Int32 = -1
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : -1
  }

  /// Gives the window a size in cells and pixels.
  public func resize(columns: Int, rows: Int, width: Int, height: Int) throws {
    let code = pt_resize(master, Int32(columns), Int32(rows), Int32(width), Int32(height))
    guard code == 0 else { throw TestFailure("Resizing failed: \(errorText(code)).") }
  }

  /// Answers, once, as soon as a question was printed: DA1, unless told otherwise.
  ///
  /// - Parameters:
  ///   - answer: what to answer.
  ///   - size: how many bytes are written at a time.
  ///   - question: what must have been printed.
  public func answer(
    _ answer: String, inPiecesOf size: Int = 4096, to question: String = "\u{1B}[c"
  ) throws {
    let thread = try PosixThread { [master, state] in
      var buffer = [UInt8](repeating: 0, count: 4096)
      let wanted = Array(question.utf8)
      while !state.output.withLock({ $0.contains(wanted) }) {
        let count = read(master, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        // EIO: the program's side was closed.
        guard count > 0 else { return }
        state.output.withLock { $0 += buffer.prefix(count) }
      }
      var rest = Array(answer.utf8)[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(size))
        let count = write(master, piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
    state.thread.withLock { $0 = thread }
  }
}
