internal import PandaSession
internal import TerminalKit

extension ManualPage {
  static func programPage(_ table: CommandLineTable, _ keys: KeyTable) -> [String] {
    var lines = [
      ".Sh NAME", ".Nm panda", ".Nd show red pandas in the terminal and keep favorites",
      ".Sh SYNOPSIS",
    ]
    lines += synopsis(table)
    lines += [".Sh DESCRIPTION", ".Nm"]
    lines += Roff.text(
      """
      shows pictures of red pandas in the terminal and keeps the ones you favorite. It fetches \
      them over HTTP; without a network it draws its own. Pictures are shown by the best means \
      that the terminal offers: kitty graphics, iTerm2 inline images, sixel, or symbols.
      """)
    lines += [".Pp", "The options are as follows; they may come before or after a command:"]
    lines += Roff.list(table.options.map(item))
    lines += [".Ss Commands", "Without a command,", ".Nm", "opens its screen."]
    lines += Roff.list(table.subcommands.map(item))
    lines.append(".Ss Keys")
    lines += Roff.text(
      "Every key can be rebound in the configuration file; ? shows the keys in use.")
    lines += Roff.list(keys.bindings.map(item))
    lines.append(".Sh ENVIRONMENT")
    lines += Roff.list(table.environment.map { item($0, "Ev") })
    lines.append(".Sh FILES")
    lines += Roff.list(table.files.map { item($0, "Pa") })
    lines.append(".Sh EXIT STATUS")
    lines += Roff.list(table.exitStatuses.map { item($0, "Li") })
    lines += [
      ".Sh EXAMPLES", "Draw pandas, without a network:",
      ".Pp", ".Dl panda \\-\\-source grove",
      ".Pp", "Favorite a panda from a script:",
      ".Pp", ".Dl \(Roff.argument("printf 'fetch\\nfavorite\\n' | panda --plain"))",
      ".Pp", "Print a picture of your own:",
      ".Pp", ".Dl panda show \\-\\-size 40x20 picture.jpg",
      ".Sh SEE ALSO", ".Xr panda-config 5",
    ]
    return lines
  }

  private static func synopsis(_ table: CommandLineTable) -> [String] {
    var lines = [".Nm", ".Op Ar option ...", ".Op Ar directory"]
    for subcommand in table.subcommands {
      lines += [".Nm", ".Cm \(subcommand.name)"]
      lines += subcommand.options.map { ".Op \(flag($0))" }
      lines += subcommand.operands.map(operand)
    }
    return lines
  }

  private static func operand(_ value: CommandLineValue) -> String {
    let argument = "Ar \(Roff.argument(value.placeholder))" + (value.repeats ? " ..." : "")
    return value.isOptional ? ".Op \(argument)" : ".\(argument)"
  }

  /// Returns an option with its value, as macro arguments.
  private static func flag(_ option: CommandLineOption) -> String {
    let letter = option.letter.map { "Fl \($0) , " } ?? ""
    let name = option.name.split(separator: "-").joined(separator: "\\-")
    let value = option.value.map { " Ar \(Roff.argument($0.placeholder))" } ?? ""
    return "\(letter)Fl \\-\(name)\(value)"
  }

  private static func item(_ option: CommandLineOption) -> (String, [String]) {
    (flag(option), Roff.text(option.help.sentence))
  }

  private static func item(_ subcommand: Subcommand) -> (String, [String]) {
    var head = "Cm \(subcommand.name)"
    for value in subcommand.operands {
      head += (value.isOptional ? " Op Ar " : " Ar ") + Roff.argument(value.placeholder)
    }
    var meaning = Roff.text(subcommand.discussion)
    if !subcommand.options.isEmpty { meaning += Roff.list(subcommand.options.map(item)) }
    return (head, meaning)
  }

  private static func item(_ binding: CommandEntry) -> (String, [String]) {
    let keys = binding.keys.map { "Ic \(Roff.argument($0.plainLabel))" }
    return (keys.joined(separator: " , "), Roff.text(binding.help + "."))
  }

  private static func item(_ entry: CommandLineTable.Entry, _ macro: String) -> (String, [String]) {
    let terms = entry.term.split(separator: ", ").map { "\(macro) \(Roff.argument(String($0)))" }
    return (terms.joined(separator: " , "), Roff.text(entry.meaning.sentence))
  }
}

extension String {
  /// The phrase as a sentence, with a capital letter and a period.
  var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
