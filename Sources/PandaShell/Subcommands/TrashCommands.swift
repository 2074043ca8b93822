internal import PandaCore
internal import PandaSession

enum TrashCommands {
  static let remove = Subcommand(
    "remove", in: .both, like: .favorites(.remove), options: [.allMatching],
    operands: [CommandLineValue("ID|FILTER", isOptional: true, repeats: true)],
    meansShown: true,
    summary: "move favorites to the trash",
    discussion: "Moves favorites to the trash, from where they can be restored for "
      + "\(ImageLibrary.trashDays) days; one panda undo takes all of them back."
  ) { arguments throws(UsageError) in
    let isAll = arguments.has(.allMatching)
    guard isAll || !arguments.words.isEmpty else {
      throw UsageError(problem: "remove needs the ID of a favorite, or --all")
    }
    return .changing { session in
      let images = try await session.favorites(
        isAll ? .all(filter: arguments.text()) : .ids(arguments.words))
      try session.tell(await session.controller.remove(images), of: images)
    }
  }

  static let restore = Subcommand(
    "restore", in: .both, like: .favorites(.favorite), options: [.allTrashed],
    operands: [CommandLineValue("ID", isOptional: true, repeats: true)],
    summary: "make pictures in the trash favorites again",
    discussion: "Makes pictures in the trash favorites again, in their former places; without an "
      + "ID, the one removed last. panda list --trash shows the trash; to read a backup, see "
      + "panda import."
  ) { arguments throws(UsageError) in
    let selection = try PictureSelection(arguments, of: "restore")
    return .changing { session in
      let entries = try await session.trashed(selection)
      try session.tell(await session.controller.restore(entries), of: entries.map(\.image))
    }
  }

  static let purge = Subcommand(
    "purge", in: .both, options: [yes, .allTrashed],
    operands: [CommandLineValue("ID", isOptional: true, repeats: true)],
    summary: "delete pictures in the trash for good, after asking",
    discussion: "Deletes pictures in the trash for good, with their bytes. This cannot be undone, "
      + "so it asks on a terminal and with --plain; in scripts it needs --yes."
  ) { arguments throws(UsageError) in
    guard arguments.has(.allTrashed) || !arguments.words.isEmpty else {
      throw UsageError(problem: "purge needs the ID of a picture in the trash, or --all")
    }
    let selection = try PictureSelection(arguments, of: "purge")
    let isConfirmed = arguments.has(yes)
    return .changing { session in
      let entries = try await session.trashed(selection)
      let pandas = session.pandas(entries.count)
      let refusal = "Nothing was deleted"
      if !isConfirmed, let conversation = session.conversation {
        let name = entries.first?.image.name ?? ""
        return conversation.ask(
          session.words.purgeQuestion(count: entries.count, name: name), to: "delete",
          otherwise: refusal
        ) {
          try session.tell(await session.controller.purge(entries))
        }
      }
      guard isConfirmed || session.output.canAsk else {
        throw CommandFailure(
          "purge deletes \(pandas) for good; confirm with --yes", .usage)
      }
      guard isConfirmed || session.output.ask("Delete \(pandas) for good?") else {
        return session.output.say(refusal)
      }
      try session.tell(await session.controller.purge(entries))
    }
  }

  private static let yes = CommandLineOption("yes", help: "do not ask")
}
