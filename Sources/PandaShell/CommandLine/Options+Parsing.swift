internal import Glibc
internal import PandaSession
internal import TerminalKit

/// The options that are allowed with and without a subcommand.
extension CommandLineOption {
  static let source = CommandLineOption(
    "source", value: CommandLineValue("SOURCE", .words { SourceChoice.names }),
    help: "where pictures come from: \(SourceChoice.names.alternatives), several with commas "
      + "between; an http or https address; or a directory or a file, which alone need no "
      + "--source. grove draws them and needs no network")
  static let dataDirectory = CommandLineOption(
    "data-dir", value: CommandLineValue("DIR", .directories), help: "keep favorites in DIR")
  static let library = CommandLineOption(
    "library", value: CommandLineValue("ADDRESS", .words { ["local"] }),
    help: "share favorites through a PostgreSQL server, such as postgresql://user@host/database; "
      + "local is this machine alone")
  static let graphics = CommandLineOption(
    "graphics", value: CommandLineValue("WAY", .words { GraphicsOption.words }),
    help: "how to show pictures: \(GraphicsOption.words.alternatives); auto takes the best that "
      + "the terminal offers")
  static let config = CommandLineOption(
    "config", value: CommandLineValue("FILE", .files), help: "read settings from FILE")
  static let noMouse = CommandLineOption("no-mouse", help: "leave the mouse to the terminal")
  static let plain = CommandLineOption(
    "plain",
    help: "use a line-based interface, for screen readers, pipes and terminals that can only print "
      + "lines")
  static let quiet = CommandLineOption(
    "quiet", help: "with --plain, leave the descriptions of pictures out: names only")
  static let log = CommandLineOption(
    "log",
    help: "write what happens, and every cause of a failure, to panda.log in the state directory; "
      + "passwords and what follows the path of an address are left out")
  static let help = CommandLineOption(
    "help", letter: "h", help: "show this help, or that of a command")
  static let version = CommandLineOption("version", letter: "V", help: "show the version")
  static let verbose = CommandLineOption(
    "verbose", help: "with --version, also show the commit and the versions of the libraries")
  static let licenses = CommandLineOption(
    "licenses", help: "show the licenses of panda and of what is linked into it")
}

extension Options {
  /// The options of all commands, in the order of the help.
  static let all: [CommandLineOption] = [
    .source, .dataDirectory, .library, .graphics, .config, .noMouse, .plain, .quiet, .log, .help,
    .version, .verbose, .licenses,
  ]

  init(_ arguments: Arguments) throws(UsageError) {
    self = .none
    if let source = arguments[.source] { self.source = try SourceChoice(argument: source) }
    dataDirectory = try Self.path(arguments, .dataDirectory, as: "directory")
    if let library = arguments[.library] { self.library = try LibraryChoice(argument: library) }
    configurationFile = try Self.path(arguments, .config, as: "file")
    withoutMouse = arguments.has(.noMouse)
    plain = arguments.has(.plain)
    quiet = arguments.has(.quiet)
    log = arguments.has(.log)
    if let graphics = arguments[.graphics] {
      self.graphics = try GraphicsOption(argument: graphics, "--graphics takes")
    }
  }

  private static func path(
    _ arguments: Arguments, _ option: CommandLineOption, as kind: String
  ) throws(UsageError) -> String? {
    guard let path = arguments[option] else { return nil }
    guard !path.isEmpty else { throw UsageError(problem: "\(option.spelling) needs a \(kind)") }
    guard path.utf8.count < PATH_MAX else {
      throw UsageError(problem: "the path of \(option.spelling) is too long")
    }
    return path
  }
}
