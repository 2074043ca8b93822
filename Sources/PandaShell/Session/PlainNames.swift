internal import PandaCore
internal import PandaSession

struct PlainNames: ActionNames {
  // Purging needs an ID.
  func name(of action: Action) -> String? { action == .purge ? nil : action.rawValue }
}
