internal import PandaCore
internal import PandaSession

enum CaptionCommand {
  static let subcommand = Subcommand(
    "caption", in: .both, like: .favorites(.caption), options: [.allMatching],
    operands: [CommandLineValue("ID|FILTER"), CommandLineValue("TEXT", repeats: true)],
    missing: "the ID of a favorite and a text", meansShown: true, takesText: true,
    summary: "write a caption under a favorite",
    discussion: "Writes a caption under a favorite; an empty text removes it. With --all, the "
      + "first argument is a filter, and all favorites that match get the caption; one panda "
      + "undo takes it back."
  ) { arguments throws(UsageError) in
    guard arguments.words.count > 1 else {
      throw UsageError(problem: "caption --all needs a filter and a text, each may be empty")
    }
    let word = arguments.words[0]
    let isAll = arguments.has(.allMatching)
    return .changing { session in
      let images = try await session.targets(isAll ? .all(filter: word) : .ids([word]))
      try session.tell(
        await session.controller.setCaption(arguments.text(from: 1), of: images), of: images)
    }
  }
}
