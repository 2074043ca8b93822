/// Input from before the keyboard was read, and the number of replies still expected.
package struct EarlyInput: Sendable {
  /// Key presses and other events, in order.
  package var events: [InputEvent] = []
  /// The decoder, which may hold an incomplete sequence.
  package var decoder = KeyDecoder()
  /// The answers still expected.
  package var owed = OwedAnswers()

  /// No input.
  package init() {}
}
