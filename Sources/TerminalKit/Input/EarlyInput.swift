/// Input from before the keyboard was read, and the number of replies still expected.
package struct EarlyInput: Sendable {
  package var events: [InputEvent] = []
  /// The decoder, which may hold an incomplete sequence.
  package var decoder = KeyDecoder()
  package var owed = OwedAnswers()

  package init() {}
}
