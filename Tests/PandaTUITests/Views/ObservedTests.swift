import Observation
import Testing

@testable import PandaTUI

@Suite @MainActor struct ObservedTests {
  @MainActor private final class Model {
    @Observed var number = 1
    @Observed var pair: (Int, Int)? = (1, 1)
    @Observed var list = [1]
  }

  private static let changes: [(name: String, isChange: Bool, make: @MainActor (Model) -> Void)] = [
    ("an equal number", false, { $0.number = 1 }), ("another number", true, { $0.number = 2 }),
    ("what cannot be compared", true, { $0.pair = (1, 1) }),
    ("an equal list", false, { $0.list = [1] }), ("in place", true, { $0.list.append(2) }),
  ]

  @Test(arguments: changes.indices)
  func `observers learn of each change, and of no value that is set again`(_ index: Int) {
    let (name, isChange, make) = Self.changes[index]
    let model = Model()
    let hasChanged = Flag()
    withObservationTracking {
      _ = (model.number, model.pair, model.list)
    } onChange: {
      MainActor.assumeIsolated { hasChanged.value = true }
    }
    make(model)
    #expect(hasChanged.value == isChange, "\(name)")
  }

  @MainActor private final class Flag {
    var value = false
  }
}
