package import PandaSession
internal import TerminalKit

/// What a command line asks for.
package enum Invocation: Sendable {
  case run(Options, Run)
  /// The help of the program or of a subcommand.
  case help(Subcommand?)
  case version(isVerbose: Bool)
  case licenses

  /// Parses the arguments that follow the program's name.
  ///
  /// `--help`, `--version` and `--licenses` take precedence over everything else, unless a mistake
  /// precedes them.
  ///
  /// - Throws: `UsageError`.
  package init(arguments: [String], table: CommandLineTable = .panda) throws(UsageError) {
    let scan = try CommandLineScan(arguments, table: table)
    let subcommand = scan.command.flatMap(table.subcommand)
    var arguments = scan.arguments
    switch scan.request?.name {
    case CommandLineOption.help.name?: self = .help(subcommand)
    case CommandLineOption.version.name?: self = .version(isVerbose: arguments.has(.verbose))
    case CommandLineOption.licenses.name?: self = .licenses
    default:
      if let stray = scan.command, subcommand == nil {
        // A directory alone is the source, and so are files.
        let isFile = SourceChoice.isFile(stray)
        guard !arguments.has(.source),
          isFile || arguments.words.isEmpty && SourceChoice.isDirectory(stray)
        else {
          let nearest = Spelling.nearest(to: stray, among: table.names)
          throw UsageError(
            problem: "unexpected argument \(stray.forMessage)"
              + (nearest.map { "; did you mean panda \($0)" } ?? ""))
        }
        guard !isFile else {
          var options = try Options(arguments)
          options.source = .files([stray] + arguments.words)
          self = .run(options, .program)
          return
        }
        arguments.values[CommandLineOption.source.name] =
          stray.contains("/") ? stray : "./\(stray)"
      }
      try Self.check(arguments, subcommand, table)
      self = .run(try Options(arguments), try subcommand?.parse(arguments) ?? .program)
    }
  }

  /// Checks that the subcommand accepts the options and the number of arguments.
  private static func check(
    _ arguments: Arguments, _ subcommand: Subcommand?, _ table: CommandLineTable
  ) throws(UsageError) {
    for option in table.allOptions
    where arguments.has(option) && !table.accepts(option, with: subcommand) {
      let owners = table.subcommands.filter { table.accepts(option, with: $0) }
      throw UsageError(
        problem: "option \(option.spelling) is for panda \(owners.map(\.name).alternatives)")
    }
    guard let subcommand else { return }
    let (words, count) = (arguments.words, subcommand.operandCount)
    // With --all a filter may stand in place of an ID, or nothing.
    if words.count < count.lowerBound, !arguments.has(.allMatching) {
      throw UsageError(problem: "\(subcommand.name) needs \(subcommand.missing)")
    }
    if words.count > count.upperBound {
      throw UsageError(problem: "unexpected argument \(words[count.upperBound].forMessage)")
    }
  }
}
