/// Decides whose turn it is among several, by weight: a smooth weighted round robin, as a value.
///
/// Over as many turns as the weights add up to, each has as many as its weight, spread evenly.
struct WeightedRotation: Equatable, Sendable {
  /// Who takes part, in the order in which equals have their turns.
  private(set) var members: [(name: String, weight: Int, credit: Int)]

  /// - Parameter weights: at least 0 each; 0 has a turn only when no other can.
  init(_ weights: [(name: String, weight: Int)]) {
    members = weights.map { ($0.name, $0.weight, 0) }
  }

  /// Takes a turn: the order in which those that can are asked until one answers.
  ///
  /// The first has had its turn then; the others lose nothing by having been behind it.
  mutating func next(among able: Set<String>) -> [String] {
    let indices = members.indices.filter { able.contains(members[$0].name) }
    let taking = indices.filter { members[$0].weight > 0 }
    let total = taking.reduce(0) { $0 + members[$1].weight }
    for index in taking { members[index].credit += members[index].weight }
    // Of equals the first in the list: a stable sort, by what each has waited for.
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
