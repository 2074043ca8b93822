internal import PandaCore
internal import TerminalKit

extension CommandLineOption {
  fileprivate static let json = CommandLineOption(.json, help: "print JSON, one object a line")

  fileprivate static let size = CommandLineOption(
    .size, value: CommandLineValue("COLUMNSxROWS"),
    help: "use at most this many columns and rows, such as 80x24")

  fileprivate static let allMatching = CommandLineOption(
    .all, help: "all favorites that match the filter, or all without one")

  fileprivate static func replace(_ what: String) -> CommandLineOption {
    CommandLineOption(.replace, help: "replace \(what)")
  }
}

extension CommandLineValue {
  static let id = CommandLineValue("ID")
}

// MARK: Pictures

extension CommandLineTable {
  static let picturesCommands = [
    Subcommand(
      .fetch, in: .both,
      options: [
        CommandLineOption(
          .number, letter: "n", value: CommandLineValue("N"), help: "at most N pictures"),
        CommandLineOption(
          .output, letter: "o", value: CommandLineValue("FILE", .files),
          help: "save the picture as FILE, or in that directory; - is standard output"),
        CommandLineOption(.keep, help: "make it a favorite"),
        CommandLineOption(.show, help: "show the picture, as panda show does"),
        .size, .json,
      ],
      summary: "fetch a red panda, or several",
      discussion: "Fetches red pandas from the sources, and prints a line about each. They are "
        + "only kept with --keep."),
    Subcommand(
      .add, in: .both,
      options: [.json],
      operands: [CommandLineValue("URL|FILE|DIR", .files, repeats: true)],
      missing: "an address, a picture file or a directory",
      summary: "make pictures favorites: files, those of a directory, or addresses",
      discussion: "Makes JPEG, PNG, WebP, GIF, HEIC and AVIF files favorites, all those of a "
        + "directory and of "
        + "those inside it, up to 8 deep, and what http and https addresses answer with. Files are "
        + "known by their content: a folder that was moved adds nothing, and a changed file is "
        + "another favorite. One panda undo takes all of them back. Files that are not whole "
        + "pictures are named and left out; what was passed over is counted. - is the picture on "
        + "standard input."),
    Subcommand(
      .list, in: .both,
      options: [
        CommandLineOption(
          .number, letter: "n", value: CommandLineValue("N"), help: "at most N pictures"),
        CommandLineOption(
          .sort,
          value: CommandLineValue("ORDER", .words(ListRequest.Order.allCases.map(\.rawValue))),
          help: "the order: \(ListRequest.Order.allCases.map(\.rawValue).alternatives); added, "
            + "the one without this option, begins with what became a favorite last; random is "
            + "another one each time"),
        CommandLineOption(.trash, help: "list the trash, the last removed one first"),
        .json,
        CommandLineOption(.ids, help: "print IDs only"),
        CommandLineOption(
          .paths, help: "print the paths of copies of the picture files in the cache"),
        CommandLineOption(
          .null, letter: "0", help: "end each entry with a zero byte, for xargs -0"),
      ],
      operands: [CommandLineValue("FILTER", isOptional: true, repeats: true)],
      takesText: true,
      summary: "list the favorites, or those that match a filter",
      discussion: "Lists the favorites whose caption, title, tags, source, credit or day has every "
        + "word of the filter, as / does on the screen; #word is the beginning of a tag, #=word "
        + "a whole one, and @word the beginning of the name of who added it to a shared library; "
        + "is:similar finds those that look like another "
        + "one, and is:today those that were kept on this day of an earlier year; in:NAME finds "
        + "those of a collection, in:snow-naps those of “Snow naps”. "
        + "Case and accents do not matter."),
    Subcommand(
      .pick,
      options: [
        CommandLineOption(.one, letter: "1", help: "choose one picture: there are no marks"),
        CommandLineOption(.ids, help: "print IDs of favorites in place of paths"),
        CommandLineOption(
          .null, letter: "0", help: "end each entry with a zero byte, for xargs -0"),
      ],
      operands: [CommandLineValue("DIR|FILTER", .directories, isOptional: true, repeats: true)],
      summary: "choose favorites, or files of a directory, and print their paths",
      discussion: "Shows the favorites that match a filter, as panda list takes it, or the picture "
        + "files of a directory, in a grid on the terminal, and prints the paths of the chosen "
        + "ones; those of favorites are of copies in the cache. Space marks, Enter chooses what is "
        + "marked, or else the selected one, / filters by name, Esc or q chooses nothing. The "
        + "mouse selects, and chooses with a double click. Standard input and output may be pipes. "
        + "It changes no favorite. The status is 1 if nothing was chosen, and 2 without a "
        + "terminal."),
    Subcommand(
      .show, in: .both,
      options: [
        .size,
        CommandLineOption(.bytes, help: "print the bytes of the picture file as they are"),
      ],
      operands: [CommandLineValue("ID|FILE", .files)],
      missing: "the ID of a favorite, or the name of a picture file, or - for standard input",
      meansShown: true,
      summary: "print a favorite or a picture file; - is standard input",
      discussion: "Prints a picture: a favorite, one in the trash, or a JPEG, PNG, WebP, GIF, "
        + "HEIC or AVIF "
        + "file; in a terminal as --graphics says, in a pipe as symbols unless --graphics is "
        + "given. In a terminal an animation plays until a key is pressed, or its loops have "
        + "ended. A file with the name wins over an ID."),
    Subcommand(
      .card, in: .both,
      options: [.replace("the file if it exists")],
      operands: [.id, CommandLineValue("FILE.png", .files)],
      missing: "the ID of a favorite, and the name of a file, or - for standard output",
      meansShown: true,
      summary: "write a favorite as a card to share: picture, caption and credit",
      discussion: "Writes a PNG file with a favorite, or a picture in the trash, its caption or "
        + "title below it, and a line with author, license and source. In a directory, the file "
        + "gets a name. Needs Pango (libpangocairo-1.0-0) and fonts; with fonts-noto, those of all "
        + "scripts and of emoji."),
    Subcommand(
      .caption, in: .both,
      options: [.allMatching],
      operands: [CommandLineValue("ID|FILTER"), CommandLineValue("TEXT", repeats: true)],
      missing: "the ID of a favorite and a text", meansShown: true, takesText: true,
      summary: "write a caption under a favorite",
      discussion: "Writes a caption under a favorite; an empty text removes it. With --all, the "
        + "first argument is a filter, and all favorites that match get the caption; one panda "
        + "undo takes it back."),
    Subcommand(
      .tag, in: .both,
      options: [.allMatching],
      operands: [CommandLineValue("ID|FILTER"), CommandLineValue("+TAG|-TAG", repeats: true)],
      missing: "the ID of a favorite, and tags such as +snow or -snow", takesHyphenedWords: true,
      meansShown: true,
      summary: "add tags to a favorite, or remove them",
      discussion: "Adds the tags that begin with + (or with nothing) to a favorite, and removes "
        + "those that begin with -. With --all, the words without a sign are a filter, and all "
        + "favorites that match get the same change; one panda undo takes it back."),
    Subcommand(
      .open, in: .plain, operands: [.id], missing: "the ID of a favorite", meansShown: true,
      summary: "open the web page of a favorite in the browser",
      discussion: "Opens the page of a favorite in the browser, or else the picture. Over SSH, "
        + "prints the address."),
    Subcommand(
      .remove, in: .both,
      options: [.allMatching],
      operands: [CommandLineValue("ID|FILTER", isOptional: true, repeats: true)],
      meansShown: true,
      summary: "move favorites to the trash",
      discussion: "Moves favorites to the trash, from where they can be restored for "
        + "\(ImageLibrary.trashDays) days; one panda undo takes all of them back."),
    Subcommand(
      .restore, in: .both,
      options: [CommandLineOption(.all, help: "everything in the trash")],
      operands: [CommandLineValue("ID", isOptional: true, repeats: true)],
      summary: "make pictures in the trash favorites again",
      discussion: "Makes pictures in the trash favorites again, in their former places; without an "
        + "ID, the one removed last. panda list --trash shows the trash; to read a backup, see "
        + "panda import."),
    Subcommand(
      .purge, in: .both,
      options: [
        CommandLineOption(.yes, help: "do not ask"),
        CommandLineOption(.all, help: "everything in the trash"),
      ],
      operands: [CommandLineValue("ID", isOptional: true, repeats: true)],
      summary: "delete pictures in the trash for good",
      discussion:
        "Deletes pictures in the trash for good, with their bytes. This cannot be undone, "
        + "so it asks; in scripts, it needs --yes."),
    Subcommand(
      .undo, in: .both, operands: [CommandLineValue("N", isOptional: true)],
      summary: "undo the last change, or the last N",
      discussion: "Undoes the last change of the favorites, or the last N of them."),
    Subcommand(
      .redo, in: .both, operands: [CommandLineValue("N", isOptional: true)],
      summary: "redo what was undone last, or the last N",
      discussion: "Redoes the change that was undone last, or the last N of them."),
    Subcommand(
      .today, in: .both,
      options: [
        CommandLineOption(
          .greeting,
          help: "greet at the start of a shell: a small picture, how many there are, and a year "
            + "ago today"),
        CommandLineOption(.random, help: "any favorite, each time another one"),
        CommandLineOption(.path, help: "print the path of a copy of the picture file"),
        .size,
        .json,
      ],
      summary: "show one of your favorites, the same all day",
      discussion: "Shows one of your favorites, the same all day: one that you kept on this day of "
        + "an earlier year if there is one. Never uses the network. A greeting "
        + "waits for no lock, says nothing where it cannot answer, and ends with status 0 if the "
        + "settings can be read."),
  ]
}

// MARK: The library

extension CommandLineTable {
  static let libraryCommands = [
    Subcommand(
      .export, in: .both,
      options: [
        .replace("the file if it exists"),
        CommandLineOption(
          .withoutMetadata, help: "leave out what cameras write, such as place and owner"),
      ],
      operands: [
        CommandLineValue("DIR|FILE.html", .files),
        CommandLineValue("FILTER", isOptional: true, repeats: true),
      ],
      missing: "the name of a directory or of an .html file",
      summary: "write favorites into a directory or a gallery",
      discussion: "Writes favorites with captions, tags and credits into a directory, "
        + "for panda import, or into one .html file: a gallery that any browser opens. "
        + "Exporting into the same directory again only writes what has changed. With a filter, "
        + "as panda list takes it, writes only those that match: into a new directory, or a new "
        + "file unless --replace is given, so that no earlier export loses the others. The "
        + "filter is then the heading of the gallery. The files are the favorites' own, byte for "
        + "byte, unless --without-metadata is given; then, as in a gallery, they say nothing of "
        + "place, time, camera and owner, and panda import still knows them."),
    Subcommand(
      .importing, in: .both,
      operands: [CommandLineValue("DIR", .directories)],
      missing: "the name of a directory",
      summary: "read favorites that panda export wrote",
      discussion: "Makes the pictures of an export favorites, with their captions, tags and "
        + "credits: all of them or, if something is wrong, none. What is a favorite already stays "
        + "as it is, so that importing twice changes nothing."),
    Subcommand(
      .backup, in: .both,
      options: [.replace("the file if it exists")],
      operands: [CommandLineValue("FILE", .files)],
      missing: "the name of a file",
      summary: "copy everything into one file: favorites, trash and history",
      discussion: "Copies favorites, trash and history into one file, also while the program runs. "
        + "To use it, put it in the place of favorites.sqlite while no panda runs."),
    Subcommand(
      .copy,
      options: [
        CommandLineOption(
          .from, value: CommandLineValue("LIBRARY", .words(["local"])),
          help: "copy this library in place of the one in use"),
        CommandLineOption(
          .to, value: CommandLineValue("LIBRARY", .words(["local"])),
          help: "copy into this library in place of the one in use"),
      ],
      summary: "copy favorites, trash and history into another library",
      discussion: "Copies favorites with their pictures, captions and tags, the trash, the hidden "
        + "pictures and the history from one library into another; a LIBRARY is a postgresql:// "
        + "address, a directory, or local. What is there already stays as it is, so a copy that "
        + "was interrupted goes on when it is started again."),
    Subcommand(
      .stats, in: .both, options: [.json],
      summary: "count the favorites, by source, by tag and by year",
      discussion: "Prints how many favorites there are and how large they are, by source, by tag "
        + "and by year."),
    Subcommand(
      .collections, in: .both,
      operands: [
        CommandLineValue("keep NAME FILTER|delete NAME", isOptional: true, repeats: true)
      ],
      summary: "list the collections, which are filters with names; keep or delete one",
      discussion: "Lists the collections with their filters, and how many favorites each has. With "
        + "keep, a name and a filter, makes one; with delete, deletes one, and no favorite; panda "
        + "undo takes it back. panda list in:NAME lists what is in one."),
    Subcommand(
      .sources, in: .both,
      options: [.json],
      operands: [
        CommandLineValue(
          "test|enable|disable SOURCE",
          .words(["test", "enable", "disable"] + SourceChoice.names), isOptional: true,
          repeats: true)
      ],
      summary: "list the sources and how they answer; test one, switch it on or off",
      discussion: "Lists the sources of pictures: how they answered last, and how many pictures "
        + "they have named that were not shown yet. With test and the name of a source, or the "
        + "address of an answer, asks it once and prints what each pointer of its description "
        + "finds, and what the picture is. With enable or disable, switches a source on or off, "
        + "as in the program."),
    Subcommand(
      .config,
      operands: [
        CommandLineValue("print|path", .words(ConfigRequest.allCases.map(\.rawValue)))
      ],
      missing: "one of the words \(ConfigRequest.allCases.map(\.rawValue).alternatives)",
      summary: "print the settings, or the configuration file's path",
      discussion: "Prints all settings in effect, or where their file is. panda doctor tells which "
        + "of them cannot be used."),
    Subcommand(
      .watch, options: [.json],
      summary: "print what changes in the favorites, as it happens",
      discussion: "Prints a line when a favorite is added, changed or removed, by any Panda, "
        + "until it is interrupted."),
  ]
}

// MARK: The program

extension CommandLineTable {
  static let programCommands = [
    Subcommand(
      .doctor,
      options: [
        CommandLineOption(
          .check, help: "check the file of the favorites, its pictures and its backups instead")
      ],
      summary: "report what the terminal can do and how pictures are shown in it",
      discussion: "Asks the terminal, and prints what was found, how pictures will be shown and "
        + "why, the versions of the libraries, where files are, settings that cannot be used, "
        + "and advice. With --check, reads all of the favorites file and its backups, and says "
        + "whether they are whole; panda recovers a damaged file when it starts."),
    Subcommand(
      .help, in: .both,
      operands: [
        CommandLineValue(
          "COMMAND|all",
          .words(
            Subcommand.groups.flatMap(\.names).map(\.rawValue).sorted() + ["all"]),
          isOptional: true)
      ],
      summary: "explain a command, or tell what you can type",
      discussion: "Explains a command, as --help after it does. Without one, prints the most "
        + "needed; with all, every command, option, file, variable and exit status."),
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
  ]
}
