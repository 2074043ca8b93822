internal import FoundationEssentials

/// A search for favorites: those that contain every word.
///
/// Case and accents do not matter. The search covers caption, title, tags, source, credit and the
/// day that the picture was saved, as "3 oct 2026" and "2026-10-03". A word that begins with `#`
/// matches the beginning of a tag, and one that begins with `@` that of the name of who favorited
/// it, in a shared library. `is:similar` matches those that look like another one.
package struct FavoritesFilter: Equatable, Sendable {
  private let words: [String]
  private let tags: [String]
  private let names: [String]
  /// Whether only pictures match that look like another one.
  package let findsSimilar: Bool

  /// Parses the search text.
  package init(_ text: String) {
    var all = TextFold.fold(text).split(whereSeparator: \.isWhitespace).map(String.init)
    findsSimilar = all.contains(Self.similar)
    all.removeAll { $0 == Self.similar }
    words = all.filter { !$0.hasPrefix("#") && !$0.hasPrefix("@") }
    names = all.filter { $0.hasPrefix("@") }.map { String($0.dropFirst()) }
    tags = all.filter { $0.hasPrefix("#") }.map { String($0.dropFirst()) }
  }

  /// The word for pictures that look like another one.
  package static let similar = "is:similar"

  /// Whether the filter matches everything.
  package var isEmpty: Bool { !findsSimilar && hasNoWords }

  private var hasNoWords: Bool { words.isEmpty && tags.isEmpty && names.isEmpty }

  /// Returns the matching favorites, in their order.
  ///
  /// - Parameter index: caches the text of favorites between calls.
  /// - Complexity: O(n) in the length of their texts.
  package func apply(to images: [RemoteImage], index: inout FavoritesIndex) -> [RemoteImage] {
    let images = findsSimilar ? NearDuplicates.all(in: images) : images
    guard !hasNoWords else { return images }
    return images.filter { matchesWords($0, index: &index) }
  }

  /// Returns whether a picture has all words, whatever it looks like.
  package func matchesWords(_ image: RemoteImage, index: inout FavoritesIndex) -> Bool {
    hasNoWords || matches(index.entry(of: image))
  }

  private func matches(_ entry: FavoritesIndex.Entry) -> Bool {
    for tag in tags where !entry.tags.contains(where: { $0.hasPrefix(tag) }) { return false }
    for name in names where entry.savedBy?.hasPrefix(name) != true { return false }
    for word in words where !entry.text.contains(word) { return false }
    return true
  }
}

/// A cache of the folded texts of favorites, each computed at its first search.
package struct FavoritesIndex: Sendable {
  struct Entry {
    var text: String
    var tags: [String]
    var savedBy: String?
  }

  private struct Kept {
    var caption: String?
    var tags: [String]
    var savedBy: String?
    var entry: Entry
  }

  private var kept: [String: Kept] = [:]

  /// Creates an empty index.
  package init() {}

  mutating func entry(of image: RemoteImage) -> Entry {
    // Nothing else about a favorite ever changes.
    if let known = kept[image.id], known.caption == image.caption, known.tags == image.tags,
      known.savedBy == image.savedBy
    {
      return known.entry
    }
    let entry = Entry(
      text: Self.text(of: image), tags: image.tags.map(TextFold.fold),
      savedBy: image.savedBy.map(TextFold.fold))
    kept[image.id] = Kept(
      caption: image.caption, tags: image.tags, savedBy: image.savedBy, entry: entry)
    return entry
  }

  private static func text(of image: RemoteImage) -> String {
    let day = PictureDay(image.savedAt ?? image.createdAt)
    let parts: [String?] = [
      image.caption, image.title, image.tags.joined(separator: " "), image.source, image.credit,
      day.words, day.numbers,
    ]
    return TextFold.fold(parts.compactMap(\.self).joined(separator: "\n"))
  }
}
