internal import PandaSession

enum ConfigCommand {
  static let subcommand = Subcommand(
    "config", operands: [CommandLineValue("print|path", .words { ["print", "path"] })],
    missing: "one of the words print or path",
    summary: "print the settings, or the configuration file's path",
    discussion: "Prints all settings in effect, or where their file is. panda doctor says which "
      + "of them cannot be used."
  ) { arguments throws(UsageError) in
    switch arguments.words[0] {
    case "print":
      return .session(.sources) { try $0.output.print(text: $0.configuration.json5) }
    case "path": return .session(nil) { try $0.output.print(text: "\($0.settings.file.path)\n") }
    case let word:
      throw UsageError(problem: "config takes print or path, not \(word.forMessage)")
    }
  }
}
