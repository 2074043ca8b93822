internal import FoundationEssentials
internal import PandaCore

extension FavoritesOrder {
  /// Returns the sections of favorites that are in this order: their months, or their sources.
  ///
  /// Empty for an order in which neither would be together.
  ///
  /// - Complexity: O(n).
  func sections(of images: [RemoteImage], now: Date) -> [GridRows.Section] {
    switch self {
    case .newest, .oldest:
      Self.sections(of: images) {
        $0.keptAt(asOf: now).map { PictureDay($0).month } ?? "Unknown month"
      }
    case .source: Self.sections(of: images) { $0.source.sanitized(upTo: 60) }
    case .caption, .size, .unseen: []
    }
  }

  private static func sections(
    of images: [RemoteImage], by title: (RemoteImage) -> String
  ) -> [GridRows.Section] {
    var sections: [GridRows.Section] = []
    for image in images {
      let title = title(image)
      if sections.last?.title == title {
        sections[sections.count - 1].count += 1
      } else {
        sections.append(GridRows.Section(title: title, count: 1))
      }
    }
    return sections
  }
}
