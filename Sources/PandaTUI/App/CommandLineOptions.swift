internal import CGetopt
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// What the person asked for on the command line.
enum Invocation: Hashable, Sendable {
  case run(Options)
  /// `panda doctor`.
  case doctor(Options)
  /// `panda show FILE`; `-` is standard input.
  case show(Options, file: String)
  case help
  case version
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
}

/// A command line that cannot be understood.
///
/// The program then exits with status 2.
struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
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
  /// Options are those of getopt_long(3): `--source=URL`, `--source URL`, unambiguous beginnings,
  /// `--` at their end. The last of an option's repetitions counts. `--help` and `--version` end
  /// the reading where they stand.
  ///
  /// - Throws: `UsageError`.
  init(arguments: [String]) throws(UsageError) {
    // getopt keeps its state in globals of the C library.
    let result = Self.getopt.withLock { _ in
      Result(catching: { () throws(UsageError) in
        try Self.scan(arguments)
      })
    }
    switch try result.get() {
    case .help: self = .help
    case .version: self = .version
    case .settings(let texts, let subcommand):
      var options = Options()
      if let source = texts.source { options.source = try SourceChoice(argument: source) }
      options.dataDirectory = try texts.dataDirectory.map { (path) throws(UsageError) in
        try Self.checkedPath(path, of: "--data-dir", as: "directory")
      }
      options.configurationFile = try texts.configurationFile.map { (path) throws(UsageError) in
        try Self.checkedPath(path, of: "--config", as: "file")
      }
      options.withoutMouse = texts.withoutMouse
      options.plain = texts.plain
      if let graphics = texts.graphics { options.graphics = try GraphicsOption(argument: graphics) }
      if let size = texts.size { options.size = try CellSize(argument: size) }
      self =
        switch subcommand {
        case .doctor: .doctor(options)
        case .show(let file): .show(options, file: file)
        case nil: .run(options)
        }
    }
  }

  private static let getopt = Mutex(())

  private enum Scan {
    case help, version
    case settings(OptionTexts, Subcommand?)
  }

  /// The options' values as they were typed.
  private struct OptionTexts {
    var source: String?
    var dataDirectory: String?
    var graphics: String?
    var size: String?
    var configurationFile: String?
    var withoutMouse = false
    var plain = false
  }

  /// A word that says what to do instead of opening the screen.
  private enum Subcommand {
    case doctor
    case show(file: String)

    /// Reads the words that are no options; nil where there are none.
    init?(_ words: [String]) throws(UsageError) {
      var rest = words[...]
      switch rest.popFirst() {
      case nil: return nil
      case "doctor": self = .doctor
      case "show":
        guard let file = rest.popFirst() else {
          throw UsageError(
            problem: "show needs the name of a picture file, or - for standard input")
        }
        self = .show(file: file)
      case let stray?: throw UsageError(problem: "unexpected argument \(Invocation.shown(stray))")
      }
      if let stray = rest.first {
        throw UsageError(problem: "unexpected argument \(Invocation.shown(stray))")
      }
    }
  }

  /// What getopt_long returns for each option; those without a letter are above all letters.
  private enum OptionCode {
    static let help = Int32(UInt8(ascii: "h"))
    static let source: Int32 = 256
    static let dataDirectory: Int32 = 257
    static let version: Int32 = 258
    static let graphics: Int32 = 259
    static let size: Int32 = 260
    static let configurationFile: Int32 = 261
    static let withoutMouse: Int32 = 262
    static let plain: Int32 = 263
  }

  private static let longOptions: [(name: StaticString, takesValue: Bool, code: Int32)] = [
    ("source", true, OptionCode.source),
    ("data-dir", true, OptionCode.dataDirectory),
    ("graphics", true, OptionCode.graphics),
    ("size", true, OptionCode.size),
    ("config", true, OptionCode.configurationFile),
    ("no-mouse", false, OptionCode.withoutMouse),
    ("plain", false, OptionCode.plain),
    ("help", false, OptionCode.help),
    ("version", false, OptionCode.version),
  ]

  private static func scan(_ arguments: [String]) throws(UsageError) -> Scan {
    var argv = (["panda"] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in argv { free(pointer) } }
    // getopt moves the elements of argv about; these stay with their owner all the same.
    let count = Int32(argv.count - 1)
    let known =
      longOptions.map {
        option(
          name: UnsafeRawPointer($0.name.utf8Start).assumingMemoryBound(to: CChar.self),
          has_arg: $0.takesValue ? required_argument : no_argument, flag: nil, val: $0.code)
      } + [option()]

    var texts = OptionTexts()
    panda_getopt_begin()
    while true {
      // The colon tells a missing value apart from an unknown option.
      let code = getopt_long(count, &argv, ":h", known, nil)
      let value = panda_optarg().map { String(cString: $0) }
      switch code {
      case -1:
        // getopt has moved the words that are no options behind all others.
        let words = argv[Int(panda_optind())..<Int(count)].compactMap { $0 }
          .map { String(cString: $0) }
        return .settings(texts, try Subcommand(words))
      case OptionCode.help: return .help
      case OptionCode.version: return .version
      case OptionCode.source: texts.source = value
      case OptionCode.dataDirectory: texts.dataDirectory = value
      case OptionCode.graphics: texts.graphics = value
      case OptionCode.size: texts.size = value
      case OptionCode.configurationFile: texts.configurationFile = value
      case OptionCode.withoutMouse: texts.withoutMouse = true
      case OptionCode.plain: texts.plain = true
      default:
        let next = Int(panda_optind())
        throw problem(
          code: code, before: argv[next - 1].map { String(cString: $0) } ?? "",
          at: argv[next].map { String(cString: $0) } ?? "")
      }
    }
  }

  /// Words for getopt's `:` (a value is missing) and `?`, of which optopt tells the kinds apart: 0
  /// is an unknown or ambiguous long option, a known option one with a value that it does not take,
  /// anything else an unknown letter, as a signed char.
  ///
  /// - Parameters:
  ///   - code: what getopt_long returned.
  ///   - last: the argument before the next one to read.
  ///   - next: the next one to read.
  private static func problem(code: Int32, before last: String, at next: String) -> UsageError {
    if code == Int32(UInt8(ascii: ":")) {
      return UsageError(problem: "option \(shown(last)) needs a value")
    }
    let letter = panda_optopt()
    let name = String(last.prefix { $0 != "=" })
    if longOptions.contains(where: { $0.code == letter }) {
      return UsageError(problem: "option \(shown(name)) takes no value")
    }
    guard letter == 0 else {
      // A letter beyond ASCII has more bytes to come, so its argument is not done with.
      let unknown = UInt8(exactly: letter).map { "-\(UnicodeScalar($0))" } ?? next
      return UsageError(problem: "unknown option \(shown(unknown))")
    }
    let matches = longOptions.map { "--\($0.name)" }.filter { $0.hasPrefix(name) }
    return UsageError(
      problem: matches.count > 1
        ? "option \(shown(name)) could be \(matches.joined(separator: " or "))"
        : "unknown option \(shown(name))")
  }

  private static func checkedPath(
    _ path: String, of option: String, as kind: String
  ) throws(UsageError) -> String {
    guard !path.isEmpty else { throw UsageError(problem: "\(option) needs a \(kind)") }
    guard path.utf8.count < PATH_MAX else {
      throw UsageError(problem: "the path of \(option) is too long")
    }
    return path
  }

  /// What was typed, harmless and short enough for one line.
  fileprivate static func shown(_ argument: String) -> String {
    argument.sanitized().clipped(to: 60)
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
    if argument == "grove" {
      self = .grove
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
        problem: "\(option) takes an http or https address or the word grove, "
          + "not \(Invocation.shown(argument))")
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
      let choices = Self.allCases.map(\.rawValue)
      throw UsageError(
        problem: "--graphics takes \(choices.dropLast().joined(separator: ", ")) or "
          + "\(choices.last ?? ""), not \(Invocation.shown(argument))")
    }
    self = option
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
        problem: "--size takes columns and rows, such as 80x24, not \(Invocation.shown(argument))")
    }
    self.init(columns: columns, rows: rows)
  }
}
