/// Which background the colours are chosen for.
enum Theme: String, Hashable, Sendable, CaseIterable {
  /// The one that the terminal tells.
  case auto
  case light, dark
}
