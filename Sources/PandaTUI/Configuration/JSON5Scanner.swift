/// Finds the structure of a JSON5 text (https://json5.org), with line numbers.
///
/// Foundation's decoder reports lines only for some errors. Strings and words are only delimited
/// here, and read by ``JSON5Value``. So an invalid word is an error of its setting, not of the
/// whole text.
struct JSON5Scanner {
  static let depthLimit = 64

  private let text: [UnicodeScalar]
  private var position = 0
  /// The line of `position`, counted as in editors.
  ///
  /// LF, CR LF and CR end a line.
  private var line = 1

  private init(_ text: String) { self.text = Array(text.unicodeScalars) }

  /// Parses a text.
  ///
  /// - Returns: its value; nil if there is only white space and comments.
  /// - Throws: `JSON5SyntaxError`.
  /// - Complexity: O(n).
  static func value(of text: String) throws(JSON5SyntaxError) -> JSON5Value? {
    var scanner = JSON5Scanner(text)
    try scanner.skipBlanks()
    guard scanner.current != nil else { return nil }
    let value = try scanner.scanValue(depth: 0)
    try scanner.skipBlanks()
    guard scanner.current == nil else { throw scanner.failure("nothing may follow the end") }
    return value
  }

  // MARK: Values

  private mutating func scanValue(depth: Int) throws(JSON5SyntaxError) -> JSON5Value {
    guard depth < Self.depthLimit else {
      throw failure("braces and brackets are nested more than \(Self.depthLimit) deep")
    }
    let line = line
    let content: JSON5Value.Content
    switch current {
    case "{": content = .object(try scanMembers(depth: depth))
    case "[": content = .array(try scanElements(depth: depth))
    case "\"", "'": content = .string(try scanString())
    default:
      let word = scanWord()
      guard !word.isEmpty else { throw failure("a value is missing") }
      content = .word(word)
    }
    return JSON5Value(line: line, content: content)
  }

  private mutating func scanMembers(depth: Int) throws(JSON5SyntaxError) -> [JSON5Member] {
    var members: [JSON5Member] = []
    try scanList(from: "{", to: "}") { (scanner) throws(JSON5SyntaxError) in
      let line = scanner.line
      let name = try scanner.scanName()
      try scanner.skipBlanks()
      guard scanner.current == ":" else { throw scanner.failure("a colon is missing") }
      scanner.advance()
      try scanner.skipBlanks()
      let value = try scanner.scanValue(depth: depth + 1)
      members.append(JSON5Member(name: name, line: line, value: value))
    }
    return members
  }

  private mutating func scanElements(depth: Int) throws(JSON5SyntaxError) -> [JSON5Value] {
    var elements: [JSON5Value] = []
    try scanList(from: "[", to: "]") { (scanner) throws(JSON5SyntaxError) in
      elements.append(try scanner.scanValue(depth: depth + 1))
    }
    return elements
  }

  /// Parses the items between two delimiters, separated by commas; a trailing comma is allowed.
  private mutating func scanList(
    from first: UnicodeScalar, to last: UnicodeScalar,
    _ scanItem: (inout JSON5Scanner) throws(JSON5SyntaxError) -> Void
  ) throws(JSON5SyntaxError) {
    let firstLine = line
    advance()
    try skipBlanks()
    while current != last {
      if current == nil { throw failure("the \(first) of line \(firstLine) has no \(last)") }
      try scanItem(&self)
      try skipBlanks()
      if current == "," {
        advance()
        try skipBlanks()
      } else if current != last {
        let missing = current == nil ? "\(last)" : "comma or \(last)"
        throw failure("a \(missing) is missing, for the \(first) of line \(firstLine)")
      }
    }
    advance()
  }

  private mutating func scanName() throws(JSON5SyntaxError) -> String {
    let line = line
    let isQuoted = current == "\"" || current == "'"
    let written = isQuoted ? try scanString() : scanWord()
    guard !written.isEmpty else { throw failure("a name is missing") }
    guard written.contains("\\") else {
      return isQuoted ? String(written.dropFirst().dropLast()) : written
    }
    guard
      let name = JSON5Value.text(of: isQuoted ? written : "\"\(written)\"")
    else { throw JSON5SyntaxError(line: line, reason: "the escape sequence after \\ is invalid") }
    return name
  }

  /// Scans a string with its quotes.
  private mutating func scanString() throws(JSON5SyntaxError) -> String {
    let line = line
    let start = position
    let quote = current
    advance()
    while let scalar = current, scalar != quote {
      if scalar == "\n" || scalar == "\r" { break }
      let isEscape = scalar == "\\"
      advance()
      // The escaped character may be a quote or a line end.
      if isEscape, current != nil { advance() }
    }
    guard current == quote, quote != nil else {
      throw JSON5SyntaxError(line: line, reason: "a quote is not closed")
    }
    advance()
    return text(from: start)
  }

  /// Scans up to the next delimiter.
  private mutating func scanWord() -> String {
    let start = position
    while let scalar = current, !scalar.isBlank, !"{}[],:\"'".unicodeScalars.contains(scalar),
      !isAtComment
    {
      advance()
    }
    return text(from: start)
  }

  // MARK: Blanks

  /// Skips white space and comments.
  ///
  /// At the end of the text, the line stays that of the last item: a missing part is missing there,
  /// not below the last empty line.
  private mutating func skipBlanks() throws(JSON5SyntaxError) {
    let before = line
    while let scalar = current {
      if scalar.isBlank {
        advance()
      } else if isAtComment {
        try skipComment()
      } else {
        return
      }
    }
    line = before
  }

  private var isAtComment: Bool {
    current == "/" && (peek(1) == "/" || peek(1) == "*")
  }

  private mutating func skipComment() throws(JSON5SyntaxError) {
    guard peek(1) == "*" else {
      while let scalar = current, !scalar.endsLine { advance() }
      return
    }
    let firstLine = line
    advance()
    advance()
    while !(current == "*" && peek(1) == "/") {
      guard current != nil else {
        throw JSON5SyntaxError(line: firstLine, reason: "a comment is not closed")
      }
      advance()
    }
    advance()
    advance()
  }

  // MARK: Scalars

  private var current: UnicodeScalar? { peek(0) }

  private func peek(_ distance: Int) -> UnicodeScalar? {
    position + distance < text.count ? text[position + distance] : nil
  }

  /// Advances by one scalar; CR LF counts as one.
  private mutating func advance() {
    guard let scalar = current else { return }
    position += 1
    if scalar == "\r", current == "\n" { position += 1 }
    if scalar == "\n" || scalar == "\r" { line += 1 }
  }

  private func text(from start: Int) -> String {
    String(String.UnicodeScalarView(text[start..<position]))
  }

  private func failure(_ reason: String) -> JSON5SyntaxError {
    JSON5SyntaxError(line: line, reason: reason)
  }
}

extension UnicodeScalar {
  /// Whether it is white space in JSON5: that of ECMAScript, including line ends.
  fileprivate var isBlank: Bool {
    switch self {
    case "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{FEFF}": true
    case "\u{2028}", "\u{2029}": true
    default: properties.generalCategory == .spaceSeparator
    }
  }

  /// Whether it ends a `//` comment.
  fileprivate var endsLine: Bool {
    switch self {
    case "\n", "\r", "\u{2028}", "\u{2029}": true
    default: false
    }
  }
}
