internal import PandaSession

extension PickRequest {
  static let subcommand = Subcommand(
    "pick", options: [one, ids, .zero],
    operands: [CommandLineValue("DIR|FILE|FILTER", .files, isOptional: true, repeats: true)],
    summary: "choose favorites, or files, and print their paths",
    discussion: "Shows the favorites that match a filter, as panda list takes it, or the picture "
      + "files of a directory, or files that are named, one a line on standard input too, in a "
      + "grid on the terminal, and prints the paths of the chosen ones; those of favorites are of "
      + "copies in the cache. Space marks and goes on, Enter chooses what is marked, or else the "
      + "selected one, / filters by name, Esc or q chooses nothing. The mouse selects, and "
      + "chooses with a double click. Standard output may be a pipe. It changes no favorite. The "
      + "status is 1 if nothing was chosen, 2 without a terminal, and 5 if nothing matches the "
      + "filter."
  ) { arguments in
    .pick(
      PickRequest(
        words: arguments.words, takesOne: arguments.has(one), printsIDs: arguments.has(ids),
        isNullTerminated: arguments.has(.zero)))
  }

  private static let one = CommandLineOption(
    "one", letter: "1", help: "choose one picture: there are no marks")
  private static let ids = CommandLineOption(
    "ids", help: "print IDs of favorites in place of paths")
}
