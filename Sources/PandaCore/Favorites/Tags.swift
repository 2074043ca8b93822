/// The words by which a person finds a favorite.
package enum Tags {
  /// The greatest number of characters in a tag.
  package static let characterLimit = 40
  /// The greatest number of tags of one picture.
  package static let countLimit = 20

  /// Reads tags as a person types them: parted by commas or white space, with or without `#`.
  ///
  /// One that occurs twice, in whatever case, is taken once.
  package static func parse(_ text: String) -> [String] {
    var known: Set<String> = []
    let words = text.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    let tags = words.compactMap { word -> String? in
      let tag = String(word.drop { $0 == "#" }.prefix(characterLimit))
      return tag.isEmpty || !known.insert(tag.lowercased()).inserted ? nil : tag
    }
    return Array(tags.prefix(countLimit))
  }

  /// Writes tags as ``parse(_:)`` reads them.
  package static func text(_ tags: [String]) -> String { tags.joined(separator: " ") }
}
