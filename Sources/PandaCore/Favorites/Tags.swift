/// The words by which a user finds a favorite.
package enum Tags {
  /// The maximum number of characters in a tag.
  package static let characterLimit = 40
  /// The maximum number of tags of one picture.
  package static let countLimit = 20

  /// Parses tags as the user types them: separated by commas or white space, with or without `#`.
  ///
  /// Duplicates are removed, ignoring case.
  package static func parse(_ text: String) -> [String] {
    var known: Set<String> = []
    let words = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    let tags = words.compactMap { word -> String? in
      let tag = String(word.drop { $0 == "#" }.prefix(characterLimit))
      return tag.isEmpty || !known.insert(tag.lowercased()).inserted ? nil : tag
    }
    return Array(tags.prefix(countLimit))
  }

  /// Formats tags as ``parse(_:)`` reads them.
  package static func text(_ tags: [String]) -> String { tags.joined(separator: " ") }
}
