/// The favorites that are marked for what comes next, as a pure state machine.
struct Marks: Equatable {
  private(set) var ids: Set<String> = []
  /// The one that was marked last, where a range begins.
  private var anchor: String?

  var isEmpty: Bool { ids.isEmpty }

  func contains(_ id: String) -> Bool { ids.contains(id) }

  /// Marks favorites that are next to each other, or none of them if all are marked.
  mutating func toggle(_ some: some BidirectionalCollection<String>) {
    if some.allSatisfy(ids.contains) {
      ids.subtract(some)
    } else {
      ids.formUnion(some)
    }
    anchor = some.last ?? anchor
  }

  /// Marks all from the one that was marked last to another.
  ///
  /// - Parameters:
  ///   - id: the other end.
  ///   - list: all favorites in display order.
  mutating func extend(to id: String, in list: [String]) {
    guard let end = list.firstIndex(of: id) else { return }
    let start = anchor.flatMap { list.firstIndex(of: $0) } ?? end
    ids.formUnion(list[min(start, end)...max(start, end)])
    anchor = id
  }

  mutating func remove(_ some: [String]) { ids.subtract(some) }

  mutating func clear() { self = Marks() }
}
