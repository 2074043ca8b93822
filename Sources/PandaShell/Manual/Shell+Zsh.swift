extension Shell {
  /// Generates a function for zsh's completion system.
  ///
  /// It works as a file `_panda` in `$fpath` and when sourced.
  static func zsh(_ table: CommandLineTable) -> [String] {
    var lines = [
      "#compdef panda",
      "# zsh completion for panda, written by: panda completions zsh",
      "_panda() {",
      "  local context state state_descr line",
      "  typeset -A opt_args",
      "  local -a help=(",
    ]
    lines += table.options.filter { $0.name == "help" }.flatMap(specifications).map { "    \($0)" }
    lines += ["  )", "  local -a options=("]
    lines += table.options.filter { $0.name != "help" }.flatMap(specifications).map { "    \($0)" }
    // After a command they are still known, with their values, but not offered.
    lines += ["  )", "  local -a others=('!'${^options})", "  local -a commands=("]
    for subcommand in table.subcommands {
      lines.append("    " + quoted("\(subcommand.name):\(subcommand.summary)"))
    }
    lines += [
      "  )",
      "  _arguments -C \"$help[@]\" \"$options[@]\" '1: :->command' '*:: :->arguments' && return",
      "  case $state in",
      "    command) _describe -t commands command commands ;;",
      "    arguments)",
      "      case $words[1] in",
    ]
    for subcommand in table.subcommands {
      var own = subcommand.options.flatMap(specifications)
      own += subcommand.operands.enumerated().map { specification($0.offset, $0.element) }
      let arguments = own.map { " \($0)" }.joined()
      lines.append(
        "        \(subcommand.name)) "
          + "_arguments \"$help[@]\" \"$others[@]\"\(arguments) ;;")
    }
    lines += [
      "      esac ;;",
      "  esac",
      "}",
      "if [[ $funcstack[1] == _panda ]]; then _panda \"$@\"; else compdef _panda panda; fi",
    ]
    return lines
  }

  /// Returns an option for `_arguments`, with and without its letter.
  private static func specifications(_ option: CommandLineOption) -> [String] {
    let help = "[\(option.help.escapingForZsh)]"
    let value = option.value.map { ":\($0.placeholder):\(action($0.completion))" } ?? ""
    let spellings = [option.spelling] + (option.letter.map { ["-\($0)"] } ?? [])
    let exclusion = spellings.count > 1 ? "(\(spellings.joined(separator: " ")))" : ""
    return spellings.map { spelling in
      quoted(exclusion + spelling + (value.isEmpty ? "" : "=") + help + value)
    }
  }

  private static func specification(_ index: Int, _ operand: CommandLineValue) -> String {
    let place = operand.repeats ? "*" : operand.isOptional ? "\(index + 1):" : "\(index + 1)"
    return quoted("\(place):\(operand.placeholder):\(action(operand.completion))")
  }

  private static func action(_ completion: CommandLineValue.Completion) -> String {
    switch completion {
    case .nothing: ""
    case .words(let words): "(\(words().joined(separator: " ")))"
    case .files: "_files"
    case .directories: "_files -/"
    }
  }
}

extension String {
  /// The text, escaped as a description in brackets.
  fileprivate var escapingForZsh: String {
    map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
  }
}
