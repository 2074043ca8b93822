internal import PandaCore

extension FavoritesOrder {
  package var words: String {
    switch self {
    case .newest: "newest first"
    case .oldest: "oldest first"
    case .source: "by source"
    case .caption: "by caption"
    case .size: "largest first"
    case .unseen: "longest unseen first"
    }
  }
}
