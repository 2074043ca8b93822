/// A shell for which Panda generates completions.
enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}
