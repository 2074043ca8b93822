internal import TerminalKit

extension CommandLineTable {
  /// Panda's command line.
  static let panda = CommandLineTable(
    summary: "Shows red pandas in the terminal and keeps the ones you favorite.",
    options: [
      CommandLineOption(
        .source, value: CommandLineValue("SOURCE", .words(SourceChoice.names)),
        help: "where pictures come from: \(SourceChoice.names.alternatives), several with commas "
          + "between; an http or https address; or a directory. grove draws them and needs no "
          + "network"),
      CommandLineOption(
        .dataDirectory, value: CommandLineValue("DIR", .directories), help: "keep favorites in DIR"),
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
      CommandLineOption(.help, letter: "h", help: "show this help, or that of a command"),
      CommandLineOption(.version, help: "show the version"),
      CommandLineOption(
        .verbose, help: "with --version, also show the commit and the versions of the libraries"),
    ],
    subcommands: [
      Subcommand(
        .doctor, summary: "report what the terminal can do and how pictures are shown in it",
        discussion: "Asks the terminal, and prints what was found, how pictures will be shown and "
          + "why, the versions of the libraries, where files are, settings that cannot be used, "
          + "and advice."),
      Subcommand(
        .show,
        options: [
          CommandLineOption(
            .size, value: CommandLineValue("COLUMNSxROWS"),
            help: "use at most this many columns and rows, such as 80x24")
        ],
        operands: [CommandLineValue("FILE", .files)],
        missing: "the name of a picture file, or - for standard input",
        summary: "print a picture file; - is standard input",
        discussion: "Prints a JPEG, PNG, WebP or GIF picture: in a terminal as --graphics says, "
          + "in a pipe as symbols unless --graphics is given."),
      Subcommand(
        .sources,
        options: [CommandLineOption(.json, help: "print JSON, one object a line")],
        operands: [
          CommandLineValue(
            "test SOURCE", .words(["test"] + SourceChoice.names), isOptional: true, repeats: true)
        ],
        summary: "list the sources with their health, or test one",
        discussion: "Lists the sources of pictures: how they answered last, and how many pictures "
          + "they have named that were not shown yet. With test and the name of a source, or the "
          + "address of an answer, asks it once and prints what each pointer of its description "
          + "finds, and what the picture is."),
      Subcommand(
        .completions,
        operands: [CommandLineValue("SHELL", .words(Shell.allCases.map(\.rawValue)))],
        missing: "the name of a shell: \(Shell.allCases.map(\.rawValue).alternatives)",
        summary: "print completions for bash, zsh or fish",
        discussion: "Prints a script that completes Panda's commands and options in bash, zsh or "
          + "fish. In bash, use it with: source <(panda completions bash)"),
      Subcommand(
        .manual,
        operands: [
          CommandLineValue("PAGE", .words(ManualPage.allCases.map(\.rawValue)), isOptional: true)
        ],
        summary: "print the source of a manual page: panda or panda-config",
        discussion:
          "Prints the source of the manual page panda(1), or of panda-config(5) about the "
          + "configuration file. To read it: panda manual | man -l -"),
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
        "$XDG_CACHE_HOME/panda", "thumbnails; may be deleted at any time (~/.cache/panda)"),
      Entry(
        "$XDG_STATE_HOME/panda",
        "what the program remembers, such as party mode (~/.local/state/panda)"),
    ],
    environment: [
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
