/// The action for an answer to a dialog, given by the command that asks.
///
/// Two dialogs are the same if they show the same: their answers are not compared.
struct Answer<Value>: Equatable {
  let perform: @MainActor (Value) -> Void

  static func == (one: Self, other: Self) -> Bool { true }
}
