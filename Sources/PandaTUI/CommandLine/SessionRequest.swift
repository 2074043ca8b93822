internal import PandaCore

/// A request of a line of `panda --plain` to the session; others are ``LibraryRequest``.
enum SessionRequest: Hashable, Sendable {
  case back, favorite, clear
  case hide(id: String)
  /// Nil means the next order.
  case sort(FavoritesOrder?)
  /// An empty text removes the tags.
  case tags(id: String, String)
  case details(id: String)
  case save(id: String, String)
  case address(id: String)
  case credit(id: String)
  /// Nil means the most important commands, `all` the others.
  case help(String?)
  case problem, quit

  /// Parses the arguments of a command; nil if it is not one of a session.
  ///
  /// - Parameter operands: as many as the table demands.
  init?(_ name: Subcommand.Name, _ operands: [String]) throws(UsageError) {
    let text = operands.dropFirst().joined(separator: " ")
    switch name {
    case .back: self = .back
    case .favorite: self = .favorite
    case .clear: self = .clear
    case .hide: self = .hide(id: operands[0])
    case .sort:
      guard let word = operands.first else {
        self = .sort(nil)
        return
      }
      guard let order = FavoritesOrder(rawValue: word.lowercased()) else {
        let orders = FavoritesOrder.allCases.map(\.rawValue).alternatives
        throw UsageError(problem: "sort takes \(orders), not \(word.forMessage)")
      }
      self = .sort(order)
    case .tags: self = .tags(id: operands[0], text)
    case .details: self = .details(id: operands[0])
    case .save: self = .save(id: operands[0], text)
    case .address: self = .address(id: operands[0])
    case .credit: self = .credit(id: operands[0])
    case .help: self = .help(operands.first)
    case .problem: self = .problem
    case .quit: self = .quit
    default: return nil
    }
  }
}
