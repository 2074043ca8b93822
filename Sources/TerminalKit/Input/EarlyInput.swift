/// What the person did before the keyboard was read, and what the terminal still owes.
package struct EarlyInput: Sendable {
  /// Keys and the like, in order.
  package var events: [InputEvent] = []
  /// The decoder, which may hold half a sequence.
  package var decoder = KeyDecoder()
  /// How many answers to DA1 are still to come.
  package var sentinels = 0
}
