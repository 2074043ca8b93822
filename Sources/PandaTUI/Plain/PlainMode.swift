internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry

/// `panda --plain`: a session on standard input and output.
@MainActor
enum PlainMode {
  /// What stands before the line that a person types.
  private static let prompt = "panda> "

  /// Greets, does what the lines say, one after another, and returns the exit status.
  ///
  /// That of a pipe is the worst that was met; a person who types has read what failed. It is 1 at
  /// least where nobody reads what is printed.
  ///
  /// - Parameters:
  ///   - remembered: the values that are kept between launches.
  ///   - problems: what in the configuration is not used; nil for nothing.
  ///   - former: favorites in the place of an earlier version.
  static func run(
    _ controller: ImagesController, configuration: Configuration, remembered: Remembered,
    problems: String?, former: FormerFavorites?
  ) async -> Int32 {
    // Who reads may go: that is an error to handle, and what is being stored is stored first.
    signal(SIGPIPE, SIG_IGN)
    let output = PlainOutput()
    var isOpen = true
    let session = PlainSession(
      controller: controller, keys: configuration.keyTable, environment: .current,
      remembered: remembered
    ) { line in
      do throws(PlainOutput.Closed) {
        if isOpen { try output.write(line) }
      } catch {
        isOpen = false
      }
    }
    if let problems { session.refuse(problems, .done) }
    await session.begin(former)

    let isTyped = isatty(STDIN_FILENO) == 1
    let input = LineInput(STDIN_FILENO)
    while isOpen, !session.hasEnded {
      do throws(PlainOutput.Closed) {
        if isTyped { try output.prompt(prompt) }
        if let line = await input.next() {
          await session.handle(line)
        } else {
          // The shell's prompt begins a line of its own.
          if isTyped { try output.prompt("\n") }
          session.end()
        }
      } catch {
        isOpen = false
      }
    }
    await session.finish()
    let met = isTyped ? ExitStatus.done : session.status
    return (isOpen ? met : met.worse(.failed)).rawValue
  }
}
