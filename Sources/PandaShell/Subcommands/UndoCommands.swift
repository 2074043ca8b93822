internal import PandaCore
internal import PandaSession

enum UndoCommands {
  static let undo = command(
    "undo", like: .favorites(.undo), summary: "undo the last change, or the last N",
    discussion: "Undoes the last change of the favorites, or the last N of them."
  ) { await $0.undo($1) }

  static let redo = command(
    "redo", like: .favorites(.redo), summary: "redo what was undone last, or the last N",
    discussion: "Redoes the change that was undone last, or the last N of them."
  ) { await $0.redo($1) }

  private static func command(
    _ name: String, like command: Command, summary: String, discussion: String,
    _ act: @escaping @MainActor @Sendable (ImagesController, Int) async -> ActionOutcome
  ) -> Subcommand {
    Subcommand(
      name, in: .both, like: command, operands: [CommandLineValue("N", isOptional: true)],
      summary: summary, discussion: discussion
    ) { arguments throws(UsageError) in
      let word = arguments.words.first ?? "1"
      let count = try Arguments.number(word, of: name, in: 1...1_000)
      return .changing { session in
        try await session.load()
        try session.tell(await act(session.controller, count))
      }
    }
  }
}
