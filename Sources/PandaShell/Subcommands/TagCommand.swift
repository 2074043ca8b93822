internal import PandaCore
internal import PandaSession

enum TagCommand {
  static let subcommand = Subcommand(
    "tag", in: .both, like: .favorites(.tags), options: [.allMatching],
    operands: [CommandLineValue("ID|FILTER"), CommandLineValue("+TAG|-TAG", repeats: true)],
    missing: "the ID of a favorite, and tags such as +snow or -snow", takesHyphenedWords: true,
    meansShown: true,
    summary: "add tags to a favorite, or remove them",
    discussion: "Adds the tags that begin with + (or with nothing) to a favorite, and removes "
      + "those that begin with -. With --all, the words without a sign are a filter, and all "
      + "favorites that match get the same change; one panda undo takes it back."
  ) { arguments throws(UsageError) in
    // With --all there may be none.
    var selection = PictureSelection.ids(Array(arguments.words.prefix(1)))
    var changes = Array(arguments.words.dropFirst())
    if arguments.has(.allMatching) {
      changes = arguments.words.filter { $0.hasPrefix("+") || $0.hasPrefix("-") }
      guard !changes.isEmpty else {
        throw UsageError(problem: "tag --all needs tags such as +snow or -snow")
      }
      let others = arguments.words.filter { !$0.hasPrefix("+") && !$0.hasPrefix("-") }
      selection = .all(filter: others.joined(separator: " "))
    }
    for word in changes {
      let tag = word.hasPrefix("+") || word.hasPrefix("-") ? word.dropFirst() : word[...]
      guard !tag.isEmpty, !tag.contains(where: \.isWhitespace) else {
        throw UsageError(problem: "a tag is one word, not \(word.forMessage)")
      }
    }
    return .changing { [selection, changes] session in
      let images = try await session.targets(selection)
      try session.tell(
        await session.controller.changeTags(changes.joined(separator: " "), of: images),
        of: images)
    }
  }
}
