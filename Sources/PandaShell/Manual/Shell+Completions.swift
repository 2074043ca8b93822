extension Shell {
  /// Returns the script that completes Panda's command line in this shell.
  func completions(of table: CommandLineTable = .panda) -> String {
    let lines =
      switch self {
      case .bash: Self.bash(table)
      case .zsh: Self.zsh(table)
      case .fish: Self.fish(table)
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the text in single quotes for bash and zsh.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
