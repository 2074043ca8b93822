internal import PandaSession

/// The shells that Panda completes its command line in.
enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}

extension Shell {
  static let subcommand = Subcommand(
    "completions", operands: [CommandLineValue("SHELL", .words { Shell.words })],
    missing: "the name of a shell: \(Shell.words.alternatives)",
    summary: "print completions for bash, zsh or fish",
    discussion: "Prints a script that completes Panda's commands and options in bash, zsh or "
      + "fish. In bash, use it with: source <(panda completions bash)"
  ) { arguments throws(UsageError) in
    let shell = try Shell(argument: arguments.words[0], "completions exist for")
    return .text(shell.completions())
  }
}
