internal import PandaSession

extension CommandLineTable {
  /// The command line; the commands of the shell are grouped, the most needed ones first.
  static let panda: CommandLineTable = .init(
    summary: "Shows red pandas in the terminal and keeps the ones you favorite.",
    options: Options.all,
    groups: [
      Group(
        "Pictures",
        [
          FetchCommand.subcommand, AddCommand.subcommand, TodayCommand.subcommand,
          SlideshowRequest.subcommand, ShowCommand.subcommand, CardCommand.subcommand,
        ]),
      Group(
        "Favorites",
        [
          ListCommand.subcommand, PickRequest.subcommand, CaptionCommand.subcommand,
          TagCommand.subcommand, TrashCommands.remove, TrashCommands.restore, TrashCommands.purge,
          UndoCommands.undo, UndoCommands.redo, CollectionsCommand.subcommand,
          StatsCommand.subcommand,
        ]),
      Group(
        "Files",
        [
          ExportCommand.subcommand, ImportCommand.subcommand, BackupCommand.subcommand,
          CopyCommand.subcommand,
        ]),
      Group(
        "Program",
        [
          SourcesCommand.subcommand, ConfigCommand.subcommand, DoctorCommand.subcommand,
          WatchCommand.subcommand, HelpText.subcommand, Shell.subcommand, ManualPage.subcommand,
        ]),
    ],
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
