extension Shell {
  static func fish(_ table: CommandLineTable) -> [String] {
    let complete = "complete -c panda "
    let valued = table.allOptions.filter { $0.value != nil }.map(\.spelling)
    var lines = [
      "# fish completion for panda, written by: panda completions fish",
      "# Prints the command that was typed: fish's own function takes an option's value for one.",
      "function __panda_command",
      "    set -l is_value no",
      "    for word in (commandline -opc)[2..-1]",
      "        switch $is_value$word",
      "            case 'yes*'",
      "                set is_value no",
      "            case \(valued.map { "no\($0)" }.joined(separator: " "))",
      "                set is_value yes",
      "            case 'no-*'",
      "            case '*'",
      "                echo $word",
      "                return",
      "        end",
      "    end",
      "end",
      "# Whether an option of all commands is offered: before a command, and where its value is typed.",
      "function __panda_offers",
      "    test -z (__panda_command)",
      "    or contains -- $argv[1] (commandline -opc)",
      "    or string match -q -- \"$argv[1]=*\" (commandline -ct)",
      "end",
      complete + "-f",
    ]
    for option in table.options {
      let condition = option.name == "help" ? "" : "-n '__panda_offers \(option.spelling)' "
      lines.append(complete + condition + arguments(option))
    }
    for subcommand in table.subcommands {
      let name = subcommand.name
      let summary = fishQuoted(subcommand.summary)
      lines.append(complete + "-n 'test -z (__panda_command)' -a \(name) -d \(summary)")
      // Each positional argument is offered at every position.
      let condition = complete + "-n 'contains -- \(name) (__panda_command)' "
      for option in subcommand.options { lines.append(condition + arguments(option)) }
      for operand in subcommand.operands { lines.append(condition + arguments(operand.completion)) }
    }
    return lines
  }

  private static func arguments(_ option: CommandLineOption) -> String {
    let letter = option.letter.map { " -s \($0)" } ?? ""
    let value = option.value.map { " -r \(arguments($0.completion))" } ?? ""
    return "-l \(option.name)\(letter)\(value) -d \(fishQuoted(option.help))"
  }

  private static func arguments(_ completion: CommandLineValue.Completion) -> String {
    switch completion {
    case .nothing: "-f"
    case .words(let words): "-f -a \(fishQuoted(words().joined(separator: " ")))"
    case .files: "-F"
    case .directories: "-f -a '(__fish_complete_directories)'"
    }
  }

  /// Returns the text in single quotes for fish, where a backslash escapes quotes and backslashes.
  private static func fishQuoted(_ text: String) -> String {
    "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
  }
}
