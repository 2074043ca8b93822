/// A part of the screen that can have the keyboard.
enum Pane {
  case card, carousel
}
