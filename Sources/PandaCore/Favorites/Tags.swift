/// The words by which a user finds a favorite.
package enum Tags {
  package static let characterLimit = 40
  package static let countLimit = 20

  /// Parses tags as the user types them: separated by commas or white space, with or without `#`.
  ///
  /// Duplicates are removed, ignoring case.
  package static func parse(_ text: String) -> [String] {
    Array(distinct(words(in: text).map { $0.prefix(characterLimit) }).prefix(countLimit))
  }

  /// A limit that the tags of a picture exceed.
  package enum Excess: Hashable, Sendable {
    case longTag
    case manyTags
  }

  /// Returns why ``parse(_:)`` would leave out a part of a text; nil if it would not.
  package static func excess(in text: String) -> Excess? {
    let words = words(in: text)
    if words.contains(where: { $0.count > characterLimit }) { return .longTag }
    return distinct(words).count > countLimit ? .manyTags : nil
  }

  private static func words(in text: String) -> [Substring] {
    text.split { $0 == "," || $0 == ";" || $0.isWhitespace }.map { $0.drop { $0 == "#" } }
  }

  private static func distinct(_ words: [Substring]) -> [String] {
    var known: Set<String> = []
    return words.filter { !$0.isEmpty && known.insert($0.lowercased()).inserted }.map(String.init)
  }

  /// Formats tags as ``parse(_:)`` reads them.
  package static func text(_ tags: [String]) -> String { tags.joined(separator: " ") }

  /// A tag, and how many pictures have it.
  package struct Use: Equatable, Sendable {
    package let tag: String
    package let count: Int
  }

  /// Returns the tags of pictures, those that are used most first, then by name.
  ///
  /// Of spellings that differ in case, the most used one represents all.
  package static func uses(in images: [RemoteImage]) -> [Use] {
    var spellings: [String: [String: Int]] = [:]
    for tag in images.lazy.flatMap(\.tags) {
      spellings[tag.lowercased(), default: [:]][tag, default: 0] += 1
    }
    return spellings.values.compactMap { counts in
      counts.min { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { Use(tag: $0.key, count: counts.values.reduce(0, +)) }
    }.sorted { ($1.count, $0.tag) < ($0.count, $1.tag) }
  }
}
