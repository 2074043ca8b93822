internal import PandaCore

extension CommandLineTable {
  /// All commands, those of the shell and those of `--plain`.
  static let commands = picturesCommands + libraryCommands + programCommands + plainCommands

  /// The commands of a line of `panda --plain`; there a number of the last list is an ID.
  static let plain = CommandLineTable(
    summary: panda.summary, options: panda.options.filter { $0.name == .help },
    subcommands: commands.filter { $0.place != .shell }, files: [], environment: [],
    exitStatuses: [])

  /// The commands that only a session has.
  private static let plainCommands = [
    Subcommand(.back, in: .plain, summary: "go back to the panda before"),
    Subcommand(
      .favorite, in: .plain, summary: "keep the panda that was described last as a favorite"),
    Subcommand(.clear, in: .plain, summary: "move all favorites to the trash, after asking"),
    Subcommand(
      .hide, in: .plain, operands: [.id], meansShown: true,
      summary: "never show this panda again"),
    Subcommand(
      .sort, in: .plain,
      operands: [
        CommandLineValue(
          "ORDER", .words(FavoritesOrder.allCases.map(\.rawValue)), isOptional: true)
      ],
      summary: "list by newest, oldest, source, caption or size; without one, by the next of them"),
    Subcommand(
      .trash, in: .plain,
      operands: [CommandLineValue("FILTER", isOptional: true, repeats: true)], takesText: true,
      summary: "list what is in the trash"),
    Subcommand(
      .tags, in: .plain, operands: [.id, CommandLineValue("TAGS", repeats: true)],
      missing: "the tags",
      meansShown: true, takesText: true,
      summary: "set the tags of a favorite, such as sleepy snow; without any, remove them"),
    Subcommand(
      .details, in: .plain, operands: [.id], meansShown: true,
      summary: "tell all that is known of the picture"),
    Subcommand(
      .save, in: .plain, operands: [.id, CommandLineValue("FILE", .files, repeats: true)],
      missing: "the name of a file that is not there yet", meansShown: true, takesText: true,
      summary: "save the picture to a file that is not there yet"),
    Subcommand(
      .address, in: .plain, operands: [.id], meansShown: true,
      summary: "print the address of the picture"),
    Subcommand(
      .credit, in: .plain, operands: [.id], meansShown: true,
      summary: "print a line that credits its maker"),
    Subcommand(.problem, in: .plain, summary: "tell the cause of what went wrong last"),
    Subcommand(.quit, in: .plain, summary: "end the program"),
  ]
}
