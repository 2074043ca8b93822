/// A shell that Panda writes completions for.
enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}
