internal import PandaSession
internal import TerminalKit

extension Key {
  /// The key as written in the configuration file, in ASCII.
  var plainLabel: String {
    switch self {
    case .up: "up"
    case .down: "down"
    case .left: "left"
    case .right: "right"
    case .modified(_, let key):
      String(label.dropLast(key.label.count)) + key.plainLabel
    default: label
    }
  }
}
