/// The background that the colors are chosen for.
package enum Theme: String, Hashable, Sendable, CaseIterable {
  /// The background that the terminal reports.
  case auto
  case light, dark
}
