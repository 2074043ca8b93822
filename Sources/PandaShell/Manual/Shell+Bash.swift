extension Shell {
  /// Generates a function for bash's `complete -F`.
  ///
  /// It does not require the package bash-completion.
  static func bash(_ table: CommandLineTable) -> [String] {
    let valued = table.allOptions.filter { $0.value != nil }
    let spellings = valued.map(pattern).joined(separator: " | ")
    var lines = [
      "# bash completion for panda, written by: panda completions bash",
      "_panda() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}",
      "  local command= count=0 index word",
      "  COMPREPLY=()",
      "  # bash splits --option=value at the equals sign.",
      "  if [[ $current == = ]]; then current=",
      "  elif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD - 2]}; fi",
      "  for ((index = 1; index < COMP_CWORD; index++)); do",
      "    word=${COMP_WORDS[index]}",
      "    case $word in",
      "      \(spellings))",
      "        [[ ${COMP_WORDS[index + 1]} == = ]] && ((index++))",
      "        ((index++)) ;;",
      "      -*) ;;",
      "      *) if [[ -z $command ]]; then command=$word; else ((count++)); fi ;;",
      "    esac",
      "  done",
      "",
      "  case $previous in",
    ]
    for option in valued {
      let action = reply(option.value?.completion ?? .nothing)
      lines += ["    \(pattern(option)))", "      \(action)", "      return ;;"]
    }
    lines += [
      "  esac",
      "",
      "  if [[ $current == -* ]]; then",
      "    local options=--help",
      "    case $command in",
      "      '') options=\(quoted(words(table.options))) ;;",
    ]
    for subcommand in table.subcommands where !subcommand.options.isEmpty {
      let own = quoted(" " + words(subcommand.options))
      lines.append("      \(subcommand.name)) options+=\(own) ;;")
    }
    lines += [
      "    esac",
      "    \(reply("-W \"$options\""))",
      "    return",
      "  fi",
      "",
      "  case $command:$count in",
      "    :*) \(reply(.words { table.names })) ;;",
    ]
    for subcommand in table.subcommands {
      for (index, operand) in subcommand.operands.enumerated() {
        let place = operand.repeats ? "*" : "\(index)"
        lines.append("    \(subcommand.name):\(place)) \(reply(operand.completion)) ;;")
      }
    }
    return lines + ["  esac", "}", "complete -F _panda panda"]
  }

  /// The option as typed, with its letter.
  private static func pattern(_ option: CommandLineOption) -> String {
    option.letter.map { "\(option.spelling) | -\($0)" } ?? option.spelling
  }

  private static func words(_ options: [CommandLineOption]) -> String {
    options.flatMap { [$0.spelling] + ($0.letter.map { ["-\($0)"] } ?? []) }
      .joined(separator: " ")
  }

  /// Returns the command that fills COMPREPLY.
  private static func reply(_ completion: CommandLineValue.Completion) -> String {
    switch completion {
    case .nothing: ":"
    case .words(let words): reply("-W \(quoted(words().joined(separator: " ")))")
    case .files: "compopt -o filenames; " + reply("-f")
    case .directories: "compopt -o filenames; " + reply("-d")
    }
  }

  private static func reply(_ generator: String) -> String {
    "mapfile -t COMPREPLY < <(compgen \(generator) -- \"$current\")"
  }
}
