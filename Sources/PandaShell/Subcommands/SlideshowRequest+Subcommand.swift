internal import PandaCore
internal import PandaSession
internal import TerminalKit

extension SlideshowRequest {
  static let subcommand = Subcommand(
    "slideshow", options: [every, once],
    operands: [CommandLineValue("FILTER|./DIR", .directories, isOptional: true, repeats: true)],
    summary: "show favorites, or pictures of a directory, as a picture frame",
    discussion: "Opens the screen with a slideshow: of the favorites that match a filter, as panda "
      + "list takes it, in a random order in which each comes back when it was not seen for long, "
      + "or of the pictures of a directory, which is named with a slash. Nothing but the picture "
      + "and its credit is shown, and no network is needed. Space keeps a picture, or marks a "
      + "favorite; q quits, and any other key ends the frame, and the program goes on. The status "
      + "is 5 if nothing matches, and 2 without a terminal."
  ) { arguments throws(UsageError) in
    .slideshow(
      SlideshowRequest(
        words: arguments.words, seconds: try arguments[every].map(seconds),
        isOnce: arguments.has(once)))
  }

  private static let every = CommandLineOption(
    "every", value: CommandLineValue("TIME"),
    help: "how long each picture is shown, such as 30s, 5m or 2h; at most 1d")
  private static let once = CommandLineOption("once", help: "end when each picture was shown")

  private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]

  /// Reads a time of 1 second to a day; without a unit it is in seconds.
  static func seconds(_ text: String) throws(UsageError) -> Int {
    let unit = text.last.flatMap { units[$0] }
    let digits = unit == nil ? text[...] : text.dropLast()
    guard let number = Int(digits), digits.allSatisfy(\.isNumber), number <= 86_400,
      (1...86_400).contains(number * (unit ?? 1))
    else {
      throw UsageError(
        problem: "--every takes a time from 1s to 1d, such as 30s, not \(text.forMessage)")
    }
    return number * (unit ?? 1)
  }
}
