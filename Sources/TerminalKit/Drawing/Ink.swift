/// What a piece of text is, from which its colour follows.
package enum Ink: UInt8, CaseIterable, Sendable {
  /// Ordinary text.
  case plain
  /// Text that matters less: borders, hints.
  case dim
  /// The red panda's colour: the focused pane, the selection, the spinner.
  case accent
  /// Titles.
  case title
  /// The star of a favourite.
  case star
  /// A key that can be pressed.
  case key
  /// A choice that Enter would take.
  case selected
  /// What went wrong.
  case problem
}
