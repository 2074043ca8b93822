import Observation
import Testing

@testable import PandaTUI

@Suite @MainActor struct ObservedTests {
  @MainActor private final class Model {
    @Observed var number = 1
    @Observed var pair: (Int, Int)? = (1, 1)
    @Observed var list = [1]
    var hasChanged = false
  }

  @Test func `observers learn of each change, and of no value that is set again`() {
    let cases: [(name: String, isChange: Bool, change: (Model) -> Void)] = [
      ("an equal number", false, { $0.number = 1 }),
      ("another number", true, { $0.number = 2 }),
      ("what cannot be compared", true, { $0.pair = (1, 1) }),
      ("an equal list", false, { $0.list = [1] }),
      ("in place", true, { $0.list.append(2) }),
    ]
    for (name, isChange, change) in cases {
      let model = Model()
      withObservationTracking {
        _ = (model.number, model.pair, model.list)
      } onChange: {
        MainActor.assumeIsolated { model.hasChanged = true }
      }
      change(model)
      #expect(model.hasChanged == isChange, "\(name)")
    }
  }
}
