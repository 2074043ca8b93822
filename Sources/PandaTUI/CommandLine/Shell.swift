enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}
