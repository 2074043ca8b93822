/// The action for an answer to a dialog, given by the command that asks.
///
/// Dialogs compare by what they show; answers are ignored.
struct Answer<Value>: Equatable {
  let perform: @MainActor (Value) -> Void

  static func == (one: Self, other: Self) -> Bool { true }
}
