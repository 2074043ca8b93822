/// The role of a piece of text, which determines its color.
package enum Ink: String, CaseIterable, Sendable {
  case plain
  /// Less important text, and borders.
  case secondary
  /// Something unavailable.
  case dim
  /// The color of the program: the focused pane, the selection, the spinner.
  case accent
  case title
  case star
  /// The sign on a marked picture: a star's color, reversed.
  case mark
  /// A key that can be pressed.
  case key
  /// The choice that Enter would take.
  case selected
  /// An error or a warning.
  case problem
}
