/// Which background the colours are chosen for.
package enum Theme: String, Hashable, Sendable, CaseIterable {
  /// The one that the terminal tells.
  case auto
  case light, dark
}
