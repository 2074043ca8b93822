internal import Pantry

/// A property that frames observe: after a change of it, the next one is drawn.
///
/// An `@Observable` class would do the same, but the compiler expands its macros again in each
/// build: for eight classes, 1.5 of the 2.2 s that the interface of this module took (Swift 6.3).
/// As there, a value that is set to an equal one has not changed, and one that was changed in
/// place has.
@MainActor
@propertyWrapper
final class Observed<Value> {
  private let gate = ObservationGate()
  private let isSame: (Value, Value) -> Bool
  private var value: Value

  init(wrappedValue: Value) {
    value = wrappedValue
    isSame = { _, _ in false }
  }

  init(wrappedValue: Value) where Value: Equatable {
    value = wrappedValue
    isSame = { $0 == $1 }
  }

  // Observers are notified after the change: on the main actor, none reads in between.
  var wrappedValue: Value {
    get {
      gate.access()
      return value
    }
    set {
      let former = value
      value = newValue
      if !isSame(former, newValue) { gate.withMutation {} }
    }
    _modify {
      defer { gate.withMutation {} }
      yield &value
    }
  }
}
