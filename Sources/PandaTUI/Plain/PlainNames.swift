internal import PandaCore

/// Names actions by the words of `--plain`.
struct PlainNames: ActionNames {
  func name(of action: Action) -> String? {
    let word: PlainWord? =
      switch action {
      case .fetch: .fetch
      case .favorite: .favorite
      case .remove: .remove
      case .clear: .clear
      case .restore: .restore
      // The command of the shell, which needs an ID.
      case .purge: nil
      case .hide: .hide
      case .caption: .caption
      case .tags: .tags
      case .undo: .undo
      case .redo: .redo
      }
    return word?.rawValue
  }
}
