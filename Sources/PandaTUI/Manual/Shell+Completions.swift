extension Shell {
  /// The script that completes Panda's command line in this shell.
  func completions(of table: CommandLineTable = .panda) -> String {
    let lines =
      switch self {
      case .bash: Self.bash(table)
      case .zsh: Self.zsh(table)
      case .fish: Self.fish(table)
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text in single quotes, as bash and zsh read them.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
