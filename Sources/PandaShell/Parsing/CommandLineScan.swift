internal import CGetopt
internal import Glibc
internal import PandaSession
internal import SystemSupport

/// The arguments of a command line, split by getopt_long(3) but not yet interpreted.
struct CommandLineScan {
  /// The command.
  private(set) var command: String?
  /// Its arguments, as typed; if an option is repeated, the last value counts.
  private(set) var arguments = Arguments()
  /// `--help`, `--version` or `--licenses`, whichever came first.
  private(set) var request: CommandLineOption?

  /// Splits the arguments.
  ///
  /// Options follow getopt_long(3): `--source=URL`, `--source URL`, unambiguous prefixes, and `--`
  /// ends the options. They may come before or after the command and its arguments. After one
  /// of these, mistakes are ignored.
  ///
  /// - Throws: `UsageError`.
  init(_ arguments: [String], table: CommandLineTable) throws(UsageError) {
    // getopt keeps its state in globals of the C library.
    self = try Self.getopt.withLock { _ in
      Result(catching: { () throws(UsageError) in
        var scan = Self()
        let options = table.allOptions
        // Up to the command, whose arguments may begin with a hyphen.
        var rest = try scan.read(arguments, options, stopsAtWord: true)
        guard let command = rest.first else { return scan }
        rest.removeFirst()
        var hyphened: [String] = []
        if table.subcommand(command)?.takesHyphenedWords == true {
          (rest, hyphened) = Self.split(rest, options)
        }
        scan.command = command
        scan.arguments.words = try scan.read(rest, options, stopsAtWord: false) + hyphened
        return scan
      })
    }.get()
  }

  private init() {}

  private static let getopt = Lock(())

  /// Takes the words with one hyphen, such as `-snow`, out of arguments; letters of options stay.
  private static func split(
    _ arguments: [String], _ options: [CommandLineOption]
  ) -> (rest: [String], hyphened: [String]) {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    let letters = options.compactMap { $0.letter.map { "-\($0)" } }
    let isHyphened = { (word: String) in
      word.hasPrefix("-") && !word.hasPrefix("--") && word != "-" && !letters.contains(word)
    }
    return (
      arguments[..<end].filter { !isHyphened($0) } + arguments[end...],
      arguments[..<end].filter(isHyphened)
    )
  }

  /// Reads the options among arguments, and returns the other arguments.
  ///
  /// - Parameter stopsAtWord: whether the first argument that is no option ends the options.
  private mutating func read(
    _ arguments: [String], _ options: [CommandLineOption], stopsAtWord: Bool
  ) throws(UsageError) -> [String] {
    var argv = (["panda"] + arguments).map { strdup($0) } + [nil]
    let owned = argv
    defer { for pointer in owned { free(pointer) } }
    let count = Int32(argv.count - 1)
    let names = options.map { strdup($0.name) }
    defer { for pointer in names { free(pointer) } }
    let entries =
      zip(options, names).enumerated().map { index, entry in
        option(
          name: entry.1, has_arg: entry.0.value == nil ? no_argument : required_argument, flag: nil,
          val: Self.firstCode + Int32(index))
      } + [option()]
    // The colon distinguishes a missing value from an unknown option.
    let letters =
      (stopsAtWord ? "+:" : ":")
      + options.compactMap { option in
        option.letter.map { option.value == nil ? "\($0)" : "\($0):" }
      }.joined()

    panda_getopt_begin()
    while true {
      let code = getopt_long(count, &argv, letters, entries, nil)
      guard code != -1 else { break }
      guard let option = Self.known(of: code, in: options) else {
        if request != nil { continue }
        let next = Int(panda_optind())
        throw Self.problem(
          code: code, before: argv[next - 1].map { String(cString: $0) } ?? "",
          at: argv[next].map { String(cString: $0) } ?? "", options)
      }
      self.arguments.values[option.name] = panda_optarg().map { String(cString: $0) } ?? ""
      let requests: [CommandLineOption] = [.help, .version, .licenses]
      if request == nil, requests.contains(where: { $0.name == option.name }) { request = option }
    }
    // getopt has moved all other arguments behind the options.
    return argv[Int(panda_optind())..<Int(count)].compactMap { $0 }.map { String(cString: $0) }
  }

  /// The return value of getopt_long for the first option, greater than any letter.
  private static let firstCode: Int32 = 256

  private static func known(of code: Int32, in options: [CommandLineOption]) -> CommandLineOption? {
    let index = Int(code - firstCode)
    if options.indices.contains(index) { return options[index] }
    return options.first { $0.letter?.asciiValue.map { Int32($0) } == code }
  }

  /// Returns the error message for getopt's `:` (a missing value) or `?`.
  ///
  /// For `?`, optopt distinguishes the kinds: 0 is an unknown or ambiguous long option, a known
  /// option is one with an unexpected value, and anything else is an unknown letter, as a signed
  /// char.
  ///
  /// - Parameters:
  ///   - code: the return value of getopt_long.
  ///   - last: the argument before the next one.
  ///   - next: the next argument.
  private static func problem(
    code: Int32, before last: String, at next: String, _ options: [CommandLineOption]
  ) -> UsageError {
    if code == Int32(UInt8(ascii: ":")) {
      return UsageError(problem: "option \(last.forMessage) needs a value")
    }
    let letter = panda_optopt()
    let name = String(last.prefix { $0 != "=" })
    if known(of: letter, in: options) != nil {
      return UsageError(problem: "option \(name.forMessage) takes no value")
    }
    guard letter == 0 else {
      // A letter beyond ASCII has more bytes, so getopt has not finished its argument.
      let unknown = UInt8(exactly: letter).map { "-\(UnicodeScalar($0))" } ?? next
      return UsageError(problem: "unknown option \(unknown.forMessage)")
    }
    if name == "--kiosk" {
      return UsageError(problem: "--kiosk is no longer used: \(UsageError.kioskSuccessor)")
    }
    let matches = options.map(\.spelling).filter { $0.hasPrefix(name) }
    return UsageError(
      problem: matches.count > 1
        ? "option \(name.forMessage) could be \(matches.alternatives)"
        : "unknown option \(name.forMessage)")
  }
}
