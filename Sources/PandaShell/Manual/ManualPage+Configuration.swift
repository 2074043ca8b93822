internal import PandaSession
internal import TerminalKit

extension ManualPage {
  static func configuration(_ keys: KeyTable) -> [String] {
    var lines = [
      ".Sh NAME", ".Nm panda-config", ".Nd configuration file of panda",
      ".Sh DESCRIPTION", "The program", ".Xr panda 1", "reads its settings from",
      ".Pa $XDG_CONFIG_HOME/panda/config.json5",
      "or, if the variable is not set, from",
      ".Pa \\(ti/.config/panda/config.json5 .",
      "The option", ".Fl \\-config", "names another file.",
      ".Pp",
      "The file holds one JSON5 object; comments and trailing commas are allowed.",
    ]
    lines += Roff.text(
      """
      A setting that is absent, or that cannot be used, has its default, and panda says so, with \
      its line. But if library, author or source cannot be used, or is misspelled by one letter, \
      or the file cannot be read as a whole, panda ends: another library or source would take its \
      place. The command line takes precedence over the file.
      """)
    lines.append(".Ss Settings")
    lines += Roff.list(Configuration.Setting.allCases.map(item))
    lines.append(".Ss Keys")
    lines += Roff.text(
      """
      A key is a character or one of the words \(keyWords). The prefixes ctrl-, alt- and shift- \
      may precede it. A key can belong to one command only, digits begin a count, and quit must \
      have a key. The commands, each with its default keys:
      """)
    lines += Roff.list(keys.bindings.map(item))
    lines += [
      ".Sh EXAMPLES", ".Bd -literal", "{",
      "  // No animation, drawn pandas, one key more and one less.", "  reduceMotion: true,",
      "  source: \"grove\",", "  keys: { fetch: [\"f\", \"ctrl\\-n\"], party: [] },", "}", ".Ed",
      ".Sh SEE ALSO", ".Xr panda 1",
    ]
    return lines
  }

  private static func item(_ setting: Configuration.Setting) -> (String, [String]) {
    let documentation = setting.documentation
    let standard = documentation.standard.map { " Default: \($0)." } ?? ""
    return (
      "Cm \(setting.rawValue) : Ar \(Roff.argument(documentation.values))",
      Roff.text(documentation.summary.sentence + standard)
    )
  }

  private static func item(_ binding: CommandEntry) -> (String, [String]) {
    let names = binding.keys.map { "\"\($0.plainLabel)\"" }.joined(separator: ", ")
    return (
      "Cm \(binding.command.rawValue) : Li \(Roff.argument("[\(names)]"))",
      Roff.text(binding.help + ".")
    )
  }

  private static var keyWords: String {
    let labels = Set(Key.words.values.map(\.plainLabel)).subtracting([" "]).sorted()
    return (labels + ["f1 to f20"]).joined(separator: ", ")
  }
}
