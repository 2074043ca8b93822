internal import PandaCore
internal import PandaSession

struct SubcommandNames: ActionNames {
  func name(of action: Action) -> String? {
    switch action {
    case .fetch: "panda fetch"
    case .undo: "panda undo"
    case .redo: "panda redo"
    // The same command cannot be repeated without its arguments.
    case .favorite, .remove, .clear, .restore, .purge, .hide, .caption, .tags: nil
    }
  }
}
