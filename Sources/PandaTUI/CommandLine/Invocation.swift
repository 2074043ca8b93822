internal import FoundationEssentials
internal import Glibc
internal import TerminalKit

/// What the person asked for on the command line.
enum Invocation: Hashable, Sendable {
  case run(Options)
  /// `panda doctor`.
  case doctor(Options)
  /// `panda show FILE`; `-` is standard input.
  case show(Options, file: String)
  /// `panda sources [test SOURCE]`.
  case sources(Options, SourcesRequest)
  /// `panda completions SHELL`.
  case completions(Shell)
  /// `panda manual [PAGE]`.
  case manual(ManualPage)
  /// Of the program, or of one of its subcommands.
  case help(Subcommand.Name?)
  case version(isVerbose: Bool)
}

/// The settings of a run that the command line tells; the configuration file may tell others.
struct Options: Hashable, Sendable {
  /// Where pictures come from; nil when the command line does not say.
  var source: SourceChoice?
  /// Where favourites are kept instead of `$XDG_DATA_HOME/panda`, as it was typed.
  var dataDirectory: String?
  /// How pictures are shown; nil when the command line does not say.
  var graphics: GraphicsOption?
  /// The most cells that `panda show` uses; nil for what the terminal has.
  var size: CellSize?
  /// The configuration file instead of the standard one, as it was typed.
  var configurationFile: String?
  /// The mouse is left to the terminal.
  var withoutMouse = false
  /// Output is JSON, one object a line.
  var json = false
  /// In lines instead of on a screen: without frames, pictures and motion.
  var plain = false
}

/// Where pictures come from.
enum SourceChoice: Hashable, Sendable {
  /// The public sources, in order, and the Bamboo Grove when none answers.
  case automatic
  /// The built-in Bamboo Grove alone.
  case grove
  /// One endpoint, `http` or `https` with a host and without a user's name.
  case endpoint(URL)
  /// Services by their names, which take turns.
  case services([String])
  /// The pictures of a directory, as it was typed.
  case folder(String)
}

/// A command line that cannot be understood.
///
/// The program then exits with status 2.
struct UsageError: Error, UsageMistake, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without a full stop.
  ///
  /// Text from the command line in it is sanitised.
  let problem: String

  /// The line for standard error.
  var description: String { "panda: \(problem). Try panda --help." }

  /// The program's exit status.
  static let exitStatus: Int32 = 2
}

extension Invocation {
  /// Reads the arguments that follow the program's name.
  ///
  /// `--help` and `--version` win over whatever else is there, unless a mistake precedes them.
  ///
  /// - Throws: `UsageError`.
  init(arguments: [String], table: CommandLineTable = .panda) throws(UsageError) {
    let scan = try CommandLineScan(arguments, table: table)
    let subcommand = scan.words.first.flatMap(Subcommand.Name.init).flatMap { table[$0] }
    switch scan.request {
    case .help?: self = .help(subcommand?.name)
    case .version?: self = .version(isVerbose: scan.values[.verbose] != nil)
    default:
      if let stray = scan.words.first, subcommand == nil {
        throw UsageError(problem: "unexpected argument \(stray.forMessage)")
      }
      try Self.check(scan, subcommand, table)
      let options = try Options(scan.values)
      let operands = Array(scan.words.dropFirst())
      self =
        switch subcommand?.name {
        case nil: .run(options)
        case .doctor: .doctor(options)
        case .show: .show(options, file: operands[0])
        case .sources: .sources(options, try SourcesRequest(operands, asJSON: options.json))
        case .completions: .completions(try Shell(argument: operands[0]))
        case .manual: .manual(try operands.first.map(ManualPage.init(argument:)) ?? .panda)
        }
    }
  }

  /// Checks that the options and the number of arguments fit the subcommand.
  private static func check(
    _ scan: CommandLineScan, _ subcommand: Subcommand?, _ table: CommandLineTable
  ) throws(UsageError) {
    for option in table.allOptions
    where scan.values[option.name] != nil && !table.accepts(option.name, with: subcommand) {
      let owners = table.subcommands.filter { table.accepts(option.name, with: $0) }
      throw UsageError(
        problem:
          "option \(option.spelling) is for panda \(owners.map(\.name.rawValue).alternatives)")
    }
    guard let subcommand else { return }
    let operands = scan.words.dropFirst()
    if operands.count < subcommand.operandCount.lowerBound {
      throw UsageError(problem: "\(subcommand.name.rawValue) needs \(subcommand.missing)")
    }
    if operands.count > subcommand.operandCount.upperBound {
      let stray = operands.dropFirst(subcommand.operandCount.upperBound).first ?? ""
      throw UsageError(problem: "unexpected argument \(stray.forMessage)")
    }
  }
}

extension Options {
  /// Reads the options' values, as they were typed.
  fileprivate init(_ values: [CommandLineOption.Name: String]) throws(UsageError) {
    if let source = values[.source] { self.source = try SourceChoice(argument: source) }
    dataDirectory = try Self.path(values[.dataDirectory], of: "--data-dir", as: "directory")
    configurationFile = try Self.path(values[.config], of: "--config", as: "file")
    withoutMouse = values[.noMouse] != nil
    plain = values[.plain] != nil
    json = values[.json] != nil
    if let graphics = values[.graphics] { self.graphics = try GraphicsOption(argument: graphics) }
    if let size = values[.size] { self.size = try CellSize(argument: size) }
  }

  private static func path(
    _ path: String?, of option: String, as kind: String
  ) throws(UsageError) -> String? {
    guard let path else { return nil }
    guard !path.isEmpty else { throw UsageError(problem: "\(option) needs a \(kind)") }
    guard path.utf8.count < PATH_MAX else {
      throw UsageError(problem: "the path of \(option) is too long")
    }
    return path
  }
}

extension SourceChoice {
  /// The greatest length of an endpoint's address, in bytes.
  static let addressLimit = 4096

  /// Reads the value of `--source`, or of the setting that means the same.
  ///
  /// - Parameters:
  ///   - option: what it is the value of, for the error.
  init(argument: String, of option: String = "--source") throws(UsageError) {
    if let local = Self.local(argument) {
      self = local
      return
    }
    guard argument.utf8.count <= Self.addressLimit else {
      throw UsageError(
        problem: "the address of \(option) is longer than \(Self.addressLimit) bytes")
    }
    guard let url = URL(string: argument, encodingInvalidCharacters: false),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty
    else {
      throw UsageError(
        problem: "\(option) takes \(Self.accepted), not \(argument.forMessage)")
    }
    guard url.user == nil && url.password == nil else {
      // Its words are not repeated: they may hold a password.
      throw UsageError(problem: "the address of \(option) must not hold a user name or a password")
    }
    self = .endpoint(url)
  }
}

extension GraphicsOption {
  /// Reads the value of `--graphics`.
  init(argument: String) throws(UsageError) {
    guard let option = Self(rawValue: argument) else {
      throw UsageError(
        problem: "--graphics takes \(Self.allCases.map(\.rawValue).alternatives), "
          + "not \(argument.forMessage)")
    }
    self = option
  }
}

extension SourcesRequest {
  /// Reads the arguments of `panda sources`.
  fileprivate init(_ operands: [String], asJSON: Bool) throws(UsageError) {
    guard let word = operands.first else {
      self = .list
      return
    }
    guard word == "test" else {
      throw UsageError(problem: "sources takes the word test, not \(word.forMessage)")
    }
    guard operands.count == 2 else {
      throw UsageError(problem: "sources test needs the name of a source, or an address")
    }
    guard !asJSON else { throw UsageError(problem: "sources test prints no JSON") }
    self = .test(operands[1])
  }
}

extension CellSize {
  /// Reads the value of `--size`: columns, `x`, rows.
  fileprivate init(argument: String) throws(UsageError) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let columns = sides[0], let rows = sides[1],
      (1...1_000).contains(columns), (1...1_000).contains(rows)
    else {
      throw UsageError(
        problem: "--size takes columns and rows, such as 80x24, not \(argument.forMessage)")
    }
    self.init(columns: columns, rows: rows)
  }
}

extension Shell {
  /// Reads the argument of `panda completions`.
  fileprivate init(argument: String) throws(UsageError) {
    guard let shell = Self(rawValue: argument) else {
      throw UsageError(
        problem: "completions exist for \(Self.allCases.map(\.rawValue).alternatives), "
          + "not \(argument.forMessage)")
    }
    self = shell
  }
}

extension ManualPage {
  /// Reads the argument of `panda manual`.
  fileprivate init(argument: String) throws(UsageError) {
    guard let page = Self(rawValue: argument) else {
      throw UsageError(
        problem:
          "the manual pages are \(Self.allCases.map(\.rawValue).joined(separator: " and ")), "
          + "not \(argument.forMessage)")
    }
    self = page
  }
}
