internal import PandaCore
internal import PandaSession

enum UndoCommands {
  static let undo = Subcommand(
    "undo", in: .both, like: .favorites(.undo),
    operands: [CommandLineValue("N", isOptional: true)],
    summary: "undo the last change, or the last N",
    discussion: "Undoes the last change of the favorites, or the last N of them."
  ) { arguments throws(UsageError) in
    let count = try steps(arguments, of: "undo")
    return .changing { session in
      try await session.load()
      try session.tell(await session.controller.undo(count))
    }
  }

  static let redo = Subcommand(
    "redo", in: .both, like: .favorites(.redo),
    operands: [CommandLineValue("N", isOptional: true)],
    summary: "redo what was undone last, or the last N",
    discussion: "Redoes the change that was undone last, or the last N of them."
  ) { arguments throws(UsageError) in
    let count = try steps(arguments, of: "redo")
    return .changing { session in
      try await session.load()
      try session.tell(await session.controller.redo(count))
    }
  }

  private static func steps(_ arguments: Arguments, of name: String) throws(UsageError) -> Int {
    guard let word = arguments.words.first else { return 1 }
    return try Arguments.number(word, of: name, in: 1...1_000)
  }
}
