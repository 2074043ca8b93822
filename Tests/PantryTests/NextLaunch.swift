import PandaTestSupport

@testable import Pantry

/// Opens a store as the next launch would, with another type or other upgrades.
///
/// The store of this launch is released; its last task may hold the claim a moment longer.
@MainActor
func nextLaunch<Item>(_ open: () async throws -> Store<Item>) async throws -> Store<Item> {
  var store: Store<Item>?
  try await eventually("the former store is released") {
    do {
      store = try await open()
    } catch StorageError.namespaceTaken {
      return false
    } catch StorageError.otherDefinition {
      return false
    }
    return true
  }
  guard let store else { throw TestFailure("there is no store") }
  return store
}
