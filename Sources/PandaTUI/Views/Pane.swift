/// A part of the screen that can have the keyboard focus.
enum Pane {
  case card, carousel
}
