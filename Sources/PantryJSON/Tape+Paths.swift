extension Tape {
  /// The steps from the document's value to the one at `node`.
  ///
  /// Most values decode without an error, so a path is found when it is asked for.
  ///
  /// - Complexity: O(n) in the number of members and elements beside the steps.
  func path(of node: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var outer = Self.root
    while outer < node {
      switch nodes[outer].kind {
      case .array:
        var (element, index) = (outer + 1, 0)
        while nodes[element].next <= node {
          element = Int(nodes[element].next)
          index += 1
        }
        path.append(PathKey(index: index))
        outer = element
      case .object, .unusualObject:
        var key = outer + 1
        while nodes[key + 1].next <= node { key = Int(nodes[key + 1].next) }
        path.append(PathKey(stringValue: string(of: nodes[key]) ?? ""))
        outer = key + 1
      default: return path
      }
    }
    return path
  }
}
