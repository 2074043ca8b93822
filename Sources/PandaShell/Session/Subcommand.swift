package import PandaSession

/// A word after `panda` that replaces opening the screen, or that begins a line of `--plain`.
///
/// Its value, in a file of its own, is all that there is of it: the parser, `--plain`, `--help`,
/// the manual and the completions read the list of these (`CommandLineTable.panda`).
package struct Subcommand: Sendable {
  enum Place: Hashable, Sendable { case shell, plain, both }

  /// The word.
  let name: String
  let place: Place
  /// The options that only this subcommand accepts.
  let options: [CommandLineOption]
  let operands: [CommandLineValue]
  /// Its purpose: a phrase in lower case, without a period.
  let summary: String
  /// Further sentences for its own help and the manual page.
  let discussion: String
  /// The name of a missing required argument, for the error message.
  let missing: String
  /// Whether words with one hyphen are arguments, such as `-snow`.
  let takesHyphenedWords: Bool
  /// Whether it is about the picture that `--plain` described last, if none is named.
  let meansShown: Bool
  /// Whether what follows in a line of `--plain` is text as it is typed, quotes included.
  let takesText: Bool
  /// The command of the screen that does the same, whose keys work in `--plain`, too.
  let screenCommand: Command?
  /// Returns what it does with arguments, as many as it demands, or refuses them.
  let parse: @Sendable (Arguments) throws(UsageError) -> Run

  init(
    _ name: String, in place: Place = .shell, like screenCommand: Command? = nil,
    options: [CommandLineOption] = [], operands: [CommandLineValue] = [],
    missing: String = "an argument", takesHyphenedWords: Bool = false, meansShown: Bool = false,
    takesText: Bool = false, summary: String, discussion: String = "",
    parse: @escaping @Sendable (Arguments) throws(UsageError) -> Run
  ) {
    self.name = name
    self.place = place
    self.screenCommand = screenCommand
    self.options = options
    self.operands = operands
    self.missing = missing
    self.takesHyphenedWords = takesHyphenedWords
    self.meansShown = meansShown
    self.takesText = takesText
    self.summary = summary
    self.discussion = discussion
    self.parse = parse
  }

  /// The word with its arguments, such as `show FILE`.
  var usage: String {
    ([name] + operands.map(\.usage)).joined(separator: " ")
  }

  var operandCount: ClosedRange<Int> {
    operands.count {
      !$0.isOptional
    }...(operands.contains(where: \.repeats) ? .max : operands.count)
  }
}

/// What a command does, once its arguments are understood.
package enum Run: Sendable {
  package typealias Body = @MainActor @Sendable (Session) async throws -> Void

  /// Opens the screen, or `--plain`.
  case program
  /// Chooses pictures on the screen.
  case pick(PickRequest)
  /// Opens the screen as a picture frame.
  case slideshow(SlideshowRequest)
  /// Prints a text, which needs no settings.
  case text(String)
  /// Works in a session, with what must be known of the settings; nil for nothing.
  case session(Settings.Use?, Body)

  /// Reads favorites, which must not be in the memory of this process alone.
  static func reading(_ body: @escaping Body) -> Run {
    .session(.favorites) { session in
      try session.requireReadable()
      try await body(session)
    }
  }

  /// Changes favorites.
  static func changing(_ body: @escaping Body) -> Run {
    .session(.favorites) { session in
      try session.requireChangeable()
      try await body(session)
    }
  }

  /// Answers in a line of `--plain`, which alone has the command.
  static func answering(
    _ body: @escaping @MainActor @Sendable (Conversation) async throws -> Void
  ) -> Run {
    .session(nil) { session in
      if let conversation = session.conversation { try await body(conversation) }
    }
  }
}
