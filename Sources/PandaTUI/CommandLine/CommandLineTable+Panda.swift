internal import TerminalKit

extension CommandLineTable {
  static let panda = CommandLineTable(
    summary: "Shows red pandas in the terminal and keeps the ones you favorite.",
    options: [
      CommandLineOption(
        .source, value: CommandLineValue("SOURCE", .words(SourceChoice.names)),
        help: "where pictures come from: \(SourceChoice.names.alternatives), several with commas "
          + "between; an http or https address; or a directory, which alone "
          + "needs no --source. grove draws them and needs no "
          + "network"),
      CommandLineOption(
        .dataDirectory, value: CommandLineValue("DIR", .directories), help: "keep favorites in DIR"),
      CommandLineOption(
        .library, value: CommandLineValue("ADDRESS", .words(["local"])),
        help: "share favorites through a PostgreSQL server, such as "
          + "postgresql://user@host/database; local is this machine alone"),
      CommandLineOption(
        .graphics, value: CommandLineValue("WAY", .words(GraphicsOption.allCases.map(\.rawValue))),
        help: "how to show pictures: \(GraphicsOption.allCases.map(\.rawValue).alternatives); "
          + "auto takes the best that the terminal offers"),
      CommandLineOption(
        .config, value: CommandLineValue("FILE", .files), help: "read settings from FILE"),
      CommandLineOption(.noMouse, help: "leave the mouse to the terminal"),
      CommandLineOption(
        .plain,
        help: "use a line-based interface, for screen readers, pipes and terminals that can only "
          + "print lines"),
      CommandLineOption(
        .quiet, help: "with --plain, leave the descriptions of pictures out: names only"),
      CommandLineOption(
        .log,
        help: "write what happens, and every cause of a failure, to panda.log in the state "
          + "directory; passwords and what follows the path of an address are left out"),
      CommandLineOption(.help, letter: "h", help: "show this help, or that of a command"),
      CommandLineOption(.version, letter: "V", help: "show the version"),
      CommandLineOption(
        .verbose, help: "with --version, also show the commit and the versions of the libraries"),
    ],
    subcommands: Self.commands.filter { $0.place != .plain },
    files: [
      Entry(
        "$XDG_DATA_HOME/panda",
        "favorites, trash and history: the only directory to back up (~/.local/share/panda if "
          + "XDG_DATA_HOME is not set)"),
      Entry(
        "$XDG_CONFIG_HOME/panda/config.json5",
        "settings; the command line takes precedence (~/.config/panda/config.json5)"),
      Entry(
        "$XDG_CACHE_HOME/panda",
        "thumbnails and copies of pictures; may be deleted at any time (~/.cache/panda)"),
      Entry(
        "$XDG_STATE_HOME/panda",
        "what the program remembers, such as party mode (~/.local/state/panda)"),
      Entry(
        "$XDG_STATE_HOME/panda/panda.log",
        "the log, if --log asks for it; above 1 MB it is begun anew"),
    ],
    environment: [
      Entry(
        "PGPASSFILE, PGSERVICEFILE, PGSSLMODE and others of libpq",
        "for --library, as in other programs (postgresql.org/docs/current/libpq-envars.html)"),
      Entry("NO_COLOR, COLORTERM, COLORFGBG", "as in other programs (no-color.org)"),
      Entry(
        "PANDA_ANSWER_SECONDS",
        "how long to wait for the terminal's answers on a slow line: 1 to 60 seconds"),
    ],
    exitStatuses: [
      Entry("0", "success"),
      Entry("1", "failure"),
      Entry("2", "wrong usage, or no terminal where one is needed"),
      Entry("3", "network error"),
      Entry("4", "storage error"),
      Entry("5", "not found"),
      Entry("75", "busy; try again"),
      Entry(
        "128+n",
        "ended by signal n; --plain in a pipe ends with the worst status it met, in this order: "
          + ExitStatus.worstFirst.dropLast().map { "\($0.rawValue)" }.joined(separator: ", ")),
    ])
}

extension [String] {
  /// The words as alternatives: `one, two or three`.
  var alternatives: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " or " + self[count - 1]
  }
}
