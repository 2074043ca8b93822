package import PandaCore

/// Names actions the way the user invokes them.
///
/// These are keys on the screen, and words in `--plain`.
package protocol ActionNames {
  /// Returns the key to press or the word to type for an action.
  ///
  /// Nil if there is none.
  func name(of action: Action) -> String?
}

extension ActionNames {
  /// Returns a sentence with a hint.
  ///
  /// The sentence stands alone if there is no key or word for it.
  ///
  /// Such as "Stopped fetching. f fetches again"; there is no period at the end.
  package func sentence(
    _ sentence: String, separator: String = ". ", action: Action, _ hint: String
  ) -> String {
    name(of: action).map { "\(sentence)\(separator)\($0) \(hint)" } ?? sentence
  }
}

extension KeyTable: ActionNames {
  package func name(of action: Action) -> String? {
    let label = label(of: action.command)
    return label.isEmpty ? nil : label
  }
}

extension Action {
  fileprivate var command: Command {
    switch self {
    case .fetch: .card(.fetch)
    // In the trash the same key restores a picture.
    case .favorite, .restore: .favorites(.favorite)
    // In the trash the same key deletes a picture for good.
    case .remove, .purge: .favorites(.remove)
    case .clear: .favorites(.clear)
    case .hide: .card(.hide)
    case .caption: .favorites(.caption)
    case .tags: .favorites(.tags)
    case .undo: .favorites(.undo)
    case .redo: .favorites(.redo)
    }
  }
}
