internal import PandaCore

/// Something that the user does to pictures, whether by a key, a typed word or a subcommand.
enum Action: Hashable, Sendable {
  case fetch, favorite, remove, clear, restore, hide
  case caption, tags
  case undo, redo
}

/// Names actions in the way in which the user asks for them: by keys on the screen, by words in
/// `--plain`.
protocol ActionNames {
  /// What to press or to type for an action; nil if there is no way to ask for it.
  func name(of action: Action) -> String?
}

extension ActionNames {
  /// A sentence and what an action would do about it, or the sentence alone if it has no name.
  ///
  /// Such as "Stopped fetching. f fetches again"; there is no full stop at the end.
  func sentence(
    _ sentence: String, separator: String = ". ", action: Action, _ deed: String
  ) -> String {
    name(of: action).map { "\(sentence)\(separator)\($0) \(deed)" } ?? sentence
  }
}

extension KeyTable: ActionNames {
  func name(of action: Action) -> String? {
    let label = label(of: action.command)
    return label.isEmpty ? nil : label
  }
}

extension Action {
  /// The command of the screen that asks for it.
  var command: Command {
    switch self {
    case .fetch: .fetch
    // In the trash the same key restores.
    case .favorite, .restore: .favorite
    case .remove: .remove
    case .clear: .clear
    case .hide: .hide
    case .caption: .caption
    case .tags: .tags
    case .undo: .undo
    case .redo: .redo
    }
  }
}
