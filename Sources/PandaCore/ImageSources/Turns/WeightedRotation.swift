/// Decides whose turn it is, by weight: a smooth weighted round robin, as a value.
///
/// Over as many turns as the weights add up to, each has as many as its weight, spread evenly.
struct WeightedRotation: Equatable, Sendable {
  /// The participants; their order breaks ties.
  private(set) var members: [(name: String, weight: Int, credit: Int)]

  /// - Parameter weights: at least 0 each; 0 has a turn only if no other is able.
  init(_ weights: [(name: String, weight: Int)]) {
    members = weights.map { ($0.name, $0.weight, 0) }
  }

  /// Takes a turn; returns the order in which to ask those able, until one answers.
  ///
  /// Only the first has used its turn; the others lose nothing.
  mutating func next(among able: Set<String>) -> [String] {
    let indices = members.indices.filter { able.contains(members[$0].name) }
    let taking = indices.filter { members[$0].weight > 0 }
    let total = taking.reduce(0) { $0 + members[$1].weight }
    for index in taking { members[index].credit += members[index].weight }
    // The first in the list wins ties: a stable sort, by accumulated credit.
    let order =
      taking.sorted { (members[$0].credit, $1) > (members[$1].credit, $0) }
      + indices.filter { members[$0].weight == 0 }
    if let first = taking.isEmpty ? nil : order.first { members[first].credit -= total }
    return order.map { members[$0].name }
  }

  static func == (left: Self, right: Self) -> Bool {
    left.members.elementsEqual(right.members) { $0 == $1 }
  }
}
