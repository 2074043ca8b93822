/// Converts the small pieces of HTML in services' fields to plain text.
///
/// Tags are dropped, with the contents of scripts and styles; entities are decoded; white space is
/// collapsed. It is not an HTML parser and need not be one: the output is always text.
enum PlainText {
  /// The maximum number of characters read.
  private static let lengthLimit = 20_000

  /// Returns the part of a text in one language, or else in English, or else all of it.
  static func of(html: String, in language: String) -> String {
    let parts = parts(of: html.prefix(lengthLimit))
    func part(_ language: String) -> Substring? {
      parts.first { $0.language == language || $0.language.hasPrefix("\(language)-") }?.html
    }
    return of(html: (part(language) ?? part("en")).map { String($0) } ?? html)
  }

  /// Returns the contents of the outermost elements that name their language.
  private static func parts(of html: Substring) -> [(language: String, html: Substring)] {
    var parts: [(language: String, html: Substring)] = []
    var rest = html
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...]
      guard let tag = Tag(at: rest) else {
        rest.removeFirst()
        continue
      }
      let inside = rest[tag.end...]
      rest = inside
      guard let language = tag.language else { continue }
      let end = end(of: tag.name, in: inside)
      parts.append((language, inside[..<end]))
      rest = inside[end...]
    }
    return parts
  }

  /// Returns where the end tag of an element begins that may have others of its kind inside.
  private static func end(of name: String, in text: Substring) -> String.Index {
    var (rest, depth) = (text, 1)
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...]
      guard let tag = Tag(at: rest) else {
        rest.removeFirst()
        continue
      }
      if tag.name == name {
        depth += rest.dropFirst().first == "/" ? -1 : 1
        if depth == 0 { return open }
      }
      rest = rest[tag.end...]
    }
    return text.endIndex
  }

  static func of(html: String) -> String {
    var text = ""
    var rest = html.prefix(lengthLimit)
    while let character = rest.first {
      if character == "<", let tag = Tag(at: rest) {
        rest = rest[tag.end...]
        if let name = tag.hides, let end = endOfElement(name, in: rest) { rest = rest[end...] }
        if tag.breaks { text.append(" ") }
      } else if character == "&", let (decoded, end) = entity(at: rest) {
        text += decoded
        rest = rest[end...]
      } else {
        text.append(character)
        rest.removeFirst()
      }
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// A tag or a comment.
  private struct Tag {
    private static let void: Set<String> = ["br", "hr", "img", "input", "link", "meta", "wbr"]

    /// The number of characters by which names are distinguished.
    ///
    /// Each end tag is compared with the name of a hidden element.
    private static let nameLimit = 32

    /// The index after the tag.
    let end: String.Index
    /// The element's name in lowercase; empty for a comment.
    var name = ""
    /// The language that it names, in lowercase.
    var language: String?
    /// The element's name if its text is to be skipped.
    var hides: String?
    /// Whether it separates words.
    var breaks = false

    /// Parses text that begins with `<`; nil if it is not a tag, such as in "I <3 pandas".
    init?(at text: Substring) {
      if text.hasPrefix("<!--") {
        var rest = text.dropFirst(4)
        while !rest.isEmpty, !rest.hasPrefix("-->") { rest.removeFirst() }
        end = rest.dropFirst(3).startIndex
        return
      }
      let inner = text.dropFirst()
      let name = inner.drop { $0 == "/" || $0 == "!" }.prefix(Self.nameLimit)
        .prefix { $0.isASCII && $0.isLetter }
      guard !name.isEmpty else { return nil }
      // A > in quotes does not end the tag.
      var quote: Character?
      var close: String.Index?
      for index in inner.indices {
        let character = inner[index]
        if let open = quote {
          if character == open { quote = nil }
        } else if character == "\"" || character == "'" {
          quote = character
        } else if character == ">" {
          close = index
          break
        }
      }
      // An unterminated tag consumes the rest: none of it is text.
      end = close.map { inner.index(after: $0) } ?? text.endIndex
      let lowercased = name.lowercased()
      self.name = lowercased
      let attributes = inner[..<(close ?? inner.endIndex)].lowercased()
      if let mark = attributes.firstRange(of: " lang=\"") {
        language = String(attributes[mark.upperBound...].prefix { $0 != "\"" })
      }
      // Commons puts machine-readable names into elements that are not displayed.
      // And the names of languages before the texts.
      let isHidden =
        attributes.filter { $0 != " " }.contains("display:none")
        || attributes.contains("class=\"language ")
      if ["script", "style"].contains(lowercased) || isHidden && !Self.void.contains(lowercased),
        inner.first != "/"
      {
        hides = lowercased
      }
      breaks = ["br", "p", "div", "li", "td", "tr", "ul", "table"].contains(lowercased)
    }
  }

  /// Returns the index after an element's end tag; nil if there is none.
  private static func endOfElement(_ name: String, in text: Substring) -> String.Index? {
    var rest = text
    while let open = rest.firstIndex(of: "<") {
      rest = rest[open...]
      if rest.dropFirst().first == "/",
        rest.dropFirst(2).prefix(name.count).lowercased() == name, let tag = Tag(at: rest)
      {
        return tag.end
      }
      rest.removeFirst()
    }
    return text.endIndex
  }

  /// Decodes a character reference; nil if it is not one.
  private static func entity(at text: Substring) -> (String, end: String.Index)? {
    let body = text.dropFirst().prefix(12)
    guard let semicolon = body.firstIndex(of: ";") else { return nil }
    let name = body[..<semicolon]
    let end = text.index(after: semicolon)
    guard name.first == "#" else { return named[String(name)].map { ($0, end) } }
    let digits = name.dropFirst()
    let number =
      digits.first == "x" || digits.first == "X"
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    guard let number, let scalar = UnicodeScalar(number), number > 0 else { return nil }
    return (String(Character(scalar)), end)
  }

  /// The entities in Commons' descriptions and XMP; others are left as they are.
  private static let named = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©",
    "reg": "®", "ndash": "–", "mdash": "—", "hellip": "…", "lsquo": "‘", "rsquo": "’",
    "ldquo": "“", "rdquo": "”", "middot": "·", "bull": "•", "times": "×", "deg": "°",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
    "eacute": "é", "egrave": "è", "agrave": "à", "ccedil": "ç", "ntilde": "ñ",
  ]
}
