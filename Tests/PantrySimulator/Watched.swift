import Observation
@testable import Pantry

/// A store, with everything that its observers and subscribers have received.
@MainActor
final class Watched<Item: StorableItem & Identifiable & Equatable> where Item.ID == String {
  let store: Store<Item>
  /// The items as the last observation saw them.
  private(set) var observed: [Item] = []
  /// All items that it saw, if they are to be kept in use; they may have been removed.
  private(set) var held: [Item] = []
  private let holds: Bool
  private let replay = Replay()
  private let replaying: Task<Void, Never>

  @MainActor
  private final class Replay {
    var items: [String: Item] = [:]
    var isWrong = false
  }

  init(_ store: Store<Item>, holds: Bool = false) {
    self.store = store
    self.holds = holds
    let events = store.events
    replaying = Task { [replay] in
      for await event in events {
        switch event.operation {
        case .initialized: break
        case .loaded:
          replay.items = Dictionary(event.items.map { ($0.id, $0) }) { $1 }
        case .insert: for item in event.items { replay.items[item.id] = item }
        case .remove:
          for item in event.items where replay.items.removeValue(forKey: item.id) == nil {
            replay.isWrong = true
          }
        }
      }
    }
    observe()
  }

  deinit { replaying.cancel() }

  private func observe() {
    withObservationTracking {
      observed = store.items
      if holds { held += observed }
    } onChange: { [weak self] in
      Task { @MainActor in self?.observe() }
    }
  }

  /// Throws unless memory is what is stored, and observers and subscribers know it.
  ///
  /// - Parameter isOlder: whether it is of an older program, which shows rows of newer ones as
  ///   issues.
  func check(_ stored: [Item], _ name: String, isOlder: Bool = false) throws(Violation) {
    var stored = stored
    if isOlder {
      let newer = store.loadIssues.filter { $0.newerVersion != nil }.map(\.key.rawValue)
      stored.removeAll { newer.contains($0.id) }
    }
    // A failed reading is reported, and retried by the next operation.
    guard store.hasLoaded else {
      guard store.loadError != nil else { throw Violation("\(name) has no items and no error") }
      return
    }
    guard store.items == stored else {
      throw Violation("\(name) shows \(store.items), and stored are \(stored)")
    }
    guard observed == stored else {
      throw Violation("an observer of \(name) saw \(observed) last, of \(stored)")
    }
    let items = Dictionary(stored.map { ($0.id, $0) }) { $1 }
    guard replay.items == items, !replay.isWrong else {
      throw Violation("the events of \(name) end with \(replay.items), not with \(items)")
    }
  }
}
