internal import FoundationEssentials
internal import Glibc
internal import TerminalKit

enum Invocation: Hashable, Sendable {
  case run(Options)
  case doctor(Options)
  case library(Options, LibraryRequest)
  case pick(Options, PickRequest)
  /// A command that only a line of `panda --plain` has.
  case session(SessionRequest)
  case config(Options, ConfigRequest)
  case sources(Options, SourcesRequest)
  case completions(Shell)
  case manual(ManualPage)
  /// The help of the program or of a subcommand.
  case help(Subcommand.Name?)
  case version(isVerbose: Bool)
}

/// The settings on the command line; the configuration file may have others.
struct Options: Hashable, Sendable {
  /// The source of pictures; nil if it is not given.
  var source: SourceChoice?
  /// The directory of favorites instead of `$XDG_DATA_HOME/panda`, as typed.
  var dataDirectory: String?
  /// The place of the favorites; nil if it is not given.
  var library: LibraryChoice?
  /// The way to show pictures; nil if it is not given.
  var graphics: GraphicsOption?
  /// The most cells that `panda show` uses; nil means the size of the terminal.
  var size: CellSize?
  /// The configuration file instead of the standard one, as typed.
  var configurationFile: String?
  var withoutMouse = false
  /// Prints JSON, one object per line.
  var json = false
  /// Uses the line-based interface: no frames, pictures or animation.
  var plain = false
  /// Leaves the descriptions of pictures out of the line-based interface.
  var quiet = false
  var log = false
  /// Checks the file of the favorites.
  var check = false
  /// Takes any favorite in place of the one of the day.
  var random = false
}

enum SourceChoice: Hashable, Sendable {
  /// The public sources in order, with the Bamboo Grove as the fallback.
  case automatic
  /// The built-in Bamboo Grove alone.
  case grove
  /// One endpoint: `http` or `https`, with a host and without a user name.
  case endpoint(URL)
  /// Services by name, which take turns.
  case services([String])
  /// The pictures in a directory, as typed.
  case folder(String)
}

/// An invalid command line.
///
/// The program then exits with status 2.
struct UsageError: Error, UsageMistake, Hashable, Sendable, CustomStringConvertible {
  /// The problem, without a period.
  ///
  /// Quotes from the command line are sanitized.
  let problem: String

  /// The line for standard error.
  var description: String { "panda: \(problem). Try panda --help." }

  static let exitStatus: Int32 = 2
}

extension Invocation {
  /// Parses the arguments that follow the program's name.
  ///
  /// `--help` and `--version` take precedence over everything else, unless a mistake precedes them.
  ///
  /// - Throws: `UsageError`.
  init(arguments: [String], table: CommandLineTable = .panda) throws(UsageError) {
    let scan = try CommandLineScan(arguments, table: table)
    let subcommand = scan.words.first.flatMap(Subcommand.Name.init).flatMap { table[$0] }
    switch scan.request {
    case .help?: self = .help(subcommand?.name)
    case .version?: self = .version(isVerbose: scan.values[.verbose] != nil)
    default:
      var values = scan.values
      if let stray = scan.words.first, subcommand == nil {
        // A directory alone is the source.
        guard scan.words.count == 1, values[.source] == nil, SourceChoice.isDirectory(stray) else {
          let nearest = Spelling.nearest(
            to: stray, among: table.subcommands.map(\.name.rawValue))
          throw UsageError(
            problem: "unexpected argument \(stray.forMessage)"
              + (nearest.map { "; did you mean panda \($0)" } ?? ""))
        }
        values[.source] = stray.contains("/") ? stray : "./\(stray)"
      }
      try Self.check(scan, subcommand, table)
      let options = try Options(values)
      let operands = Array(scan.words.dropFirst())
      self =
        switch subcommand?.name {
        case nil: .run(options)
        case .doctor: .doctor(options)
        case .config: .config(options, try ConfigRequest(argument: operands[0]))
        case .sources: .sources(options, try SourcesRequest(operands, asJSON: options.json))
        case .pick: .pick(options, PickRequest(operands, scan.values))
        case .completions: .completions(try Shell(argument: operands[0]))
        case .manual: .manual(try operands.first.map(ManualPage.init(argument:)) ?? .panda)
        case let name?: try Self.library(name, options, operands, scan.values)
        }
    }
  }

  private static func library(
    _ name: Subcommand.Name, _ options: Options, _ operands: [String],
    _ values: LibraryRequest.Values
  ) throws(UsageError) -> Invocation {
    if let request = try LibraryRequest(name, operands, values) {
      return .library(options, request)
    }
    return try SessionRequest(name, operands).map(Invocation.session) ?? .help(name)
  }

  /// Checks that the subcommand accepts the options and the number of arguments.
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
    // With --all a filter may stand in place of an ID, or nothing.
    if operands.count < subcommand.operandCount.lowerBound, scan.values[.all] == nil {
      throw UsageError(problem: "\(subcommand.name.rawValue) needs \(subcommand.missing)")
    }
    if operands.count > subcommand.operandCount.upperBound {
      let stray = operands.dropFirst(subcommand.operandCount.upperBound).first ?? ""
      throw UsageError(problem: "unexpected argument \(stray.forMessage)")
    }
  }
}

extension Options {
  fileprivate init(_ values: [CommandLineOption.Name: String]) throws(UsageError) {
    if let source = values[.source] { self.source = try SourceChoice(argument: source) }
    dataDirectory = try Self.path(values[.dataDirectory], of: "--data-dir", as: "directory")
    if let library = values[.library] { self.library = try LibraryChoice(argument: library) }
    configurationFile = try Self.path(values[.config], of: "--config", as: "file")
    withoutMouse = values[.noMouse] != nil
    plain = values[.plain] != nil
    quiet = values[.quiet] != nil
    log = values[.log] != nil
    json = values[.json] != nil
    check = values[.check] != nil
    random = values[.random] != nil
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

  /// Parses the value of `--source`, or of the corresponding setting.
  ///
  /// - Parameters:
  ///   - option: the option or setting with the value, for the error.
  init(argument: String, of option: String = "--source") throws(UsageError) {
    if let local = Self.local(argument) {
      self = local
      return
    }
    guard argument.utf8.count <= Self.addressLimit else {
      throw UsageError(
        problem: "the address of \(option) is longer than \(Self.addressLimit) bytes")
    }
    guard let url = URL(typed: argument),
      let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let host = url.host(), !host.isEmpty
    else {
      throw UsageError(
        problem: "\(option) takes \(Self.accepted), not \(argument.forMessage)")
    }
    guard url.user == nil && url.password == nil else {
      // The address is not quoted: it may contain a password.
      throw UsageError(problem: "the address of \(option) must not hold a user name or a password")
    }
    self = .endpoint(url)
  }
}

extension GraphicsOption {
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
  fileprivate init(_ operands: [String], asJSON: Bool) throws(UsageError) {
    guard let word = operands.first else {
      self = .list
      return
    }
    guard ["test", "enable", "disable"].contains(word) else {
      throw UsageError(
        problem: "sources takes the words test, enable and disable, not \(word.forMessage)")
    }
    guard operands.count == 2 else {
      let address = word == "test" ? ", or an address" : ""
      throw UsageError(problem: "sources \(word) needs the name of a source\(address)")
    }
    guard !asJSON else { throw UsageError(problem: "sources \(word) prints no JSON") }
    switch word {
    case "test": self = .test(operands[1])
    default: self = .set(operands[1], isEnabled: word == "enable")
    }
  }
}

extension ConfigRequest {
  fileprivate init(argument: String) throws(UsageError) {
    guard let request = Self(rawValue: argument) else {
      throw UsageError(
        problem: "config takes \(Self.allCases.map(\.rawValue).alternatives), "
          + "not \(argument.forMessage)")
    }
    self = request
  }
}

extension CellSize {
  /// Parses the value of `--size`: columns, `x`, rows.
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
