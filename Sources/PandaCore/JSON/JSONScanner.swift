/// Reads a text in JSON5 (https://json5.org), of which JSON (RFC 8259) is a part.
///
/// JSONDecoder would not do for a stranger's reply: for a value whose shape is known only at run
/// time it takes minutes for a megabyte of nested lists, and it traps on a bracket that is nested
/// too deeply at the very end. Its decoder of JSON5 traps on `0x0x` and on `1e+`.
package struct JSONScanner {
  package static let depthLimit = 512

  /// A name that stands in one object again.
  package struct Repetition: Sendable {
    package let name: String
    package let line: Int
    /// The line of the earlier value, which does not count.
    package let earlierLine: Int
  }

  package private(set) var repetitions: [Repetition] = []
  private let keepsInvalid: Bool
  private let text: [UnicodeScalar]
  private var position = 0
  /// The line of `position`, counted as in editors.
  ///
  /// LF, CR LF and CR end a line.
  private var line = 1

  /// - Parameter keepsInvalid: whether a word that is not a value is one for its reader to report,
  ///   rather than an error of the whole text.
  package init(_ text: String, keepsInvalid: Bool = false) {
    self.text = Array(text.unicodeScalars)
    self.keepsInvalid = keepsInvalid
  }

  /// Scans the text.
  ///
  /// The last of several members with one name counts. A number that is too large is infinite.
  ///
  /// - Returns: its value; nil if there is only white space and comments.
  /// - Throws: `JSONError`.
  /// - Complexity: O(n).
  package mutating func scan() throws(JSONError) -> JSONValue? {
    try skipBlanks()
    guard current != nil else { return nil }
    let value = try scanValue(depth: 0)
    try skipBlanks()
    guard current == nil else { throw failure("nothing may follow the end") }
    return value
  }

  // MARK: Values

  private mutating func scanValue(depth: Int) throws(JSONError) -> JSONValue {
    let line = line
    let start = position
    let content: JSONValue.Content?
    switch current {
    case "{": content = .object(try scanMembers(depth: depth + 1))
    case "[": content = .list(try scanElements(depth: depth + 1))
    case "\"", "'": content = try scanString().map { .text($0) }
    default:
      let word = scanWord()
      guard !word.isEmpty else { throw failure("a value is missing") }
      content = Self.content(of: word)
    }
    if let content { return JSONValue(content, line: line) }
    let written = text(from: start)
    guard keepsInvalid else { throw failure("\(written.prefix(20)) is not a value") }
    return JSONValue(.invalid(written), line: line)
  }

  private mutating func scanMembers(depth: Int) throws(JSONError) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    try scanList(from: "{", to: "}", depth) { (scanner) throws(JSONError) in
      let line = scanner.line
      let name = try scanner.scanName()
      try scanner.skipBlanks()
      guard scanner.current == ":" else { throw scanner.failure("a colon is missing") }
      scanner.advance()
      try scanner.skipBlanks()
      let value = try scanner.scanValue(depth: depth)
      guard let earlier = members.updateValue(value, forKey: name) else { return }
      scanner.repetitions.append(Repetition(name: name, line: line, earlierLine: earlier.line))
    }
    return members
  }

  private mutating func scanElements(depth: Int) throws(JSONError) -> [JSONValue] {
    var elements: [JSONValue] = []
    try scanList(from: "[", to: "]", depth) { (scanner) throws(JSONError) in
      elements.append(try scanner.scanValue(depth: depth))
    }
    return elements
  }

  /// Parses the items between two delimiters, separated by commas; a trailing comma is allowed.
  private mutating func scanList(
    from first: UnicodeScalar, to last: UnicodeScalar, _ depth: Int,
    _ scanItem: (inout JSONScanner) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard depth <= Self.depthLimit else {
      throw failure("braces and brackets are nested more than \(Self.depthLimit) deep")
    }
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

  private mutating func scanName() throws(JSONError) -> String {
    let line = line
    let isQuoted = current == "\"" || current == "'"
    var name = isQuoted ? try scanString() : scanWord()
    if !isQuoted, let word = name, word.contains("\\") {
      var quoted = JSONScanner("\"\(word)\"")
      name = try quoted.scanString()
    }
    guard let name else {
      throw JSONError(line: line, reason: "the escape sequence after \\ is invalid")
    }
    guard isQuoted || !name.isEmpty else { throw failure("a name is missing") }
    return name
  }

  // MARK: Words

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

  /// Returns the value of a word; nil if it has none.
  private static func content(of word: String) -> JSONValue.Content? {
    switch word {
    case "null": return .null
    case "true": return .flag(true)
    case "false": return .flag(false)
    default: break
    }
    let isNegative = word.hasPrefix("-")
    let digits = isNegative || word.hasPrefix("+") ? word.dropFirst() : word[...]
    let number: Double?
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      let hexadecimal = digits.dropFirst(2)
      number =
        hexadecimal.allSatisfy(\.isHexDigit) ? Int(hexadecimal, radix: 16).map { Double($0) } : nil
    } else {
      // A leading zero would be octal in JavaScript.
      let hasLeadingZero = digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true
      let isDecimal = digits.first?.isNumber == true || digits.hasPrefix(".")
      number =
        isDecimal && !hasLeadingZero && digits.allSatisfy { "0123456789.eE+-".contains($0) }
        ? Double(digits) : nil
    }
    return number.map { .number(isNegative ? -$0 : $0) }
  }

  // MARK: Strings

  /// Scans a string; nil if an escape sequence in it is invalid.
  private mutating func scanString() throws(JSONError) -> String? {
    let line = line
    let quote = current
    var text = String.UnicodeScalarView()
    var isValid = true
    advance()
    while let scalar = current, scalar != quote, scalar != "\n", scalar != "\r" {
      advance()
      if scalar != "\\" {
        text.append(scalar)
      } else if let escaped = scanEscape() {
        text += escaped.unicodeScalars
      } else {
        isValid = false
      }
    }
    guard current == quote, quote != nil else {
      throw JSONError(line: line, reason: "a quote is not closed")
    }
    advance()
    return isValid ? String(text) : nil
  }

  /// Scans what follows a backslash; stays there and returns nil if it is invalid.
  private mutating func scanEscape() -> String? {
    let escaped: String
    switch current {
    case "\"", "'", "\\", "/": escaped = current.map { String($0) } ?? ""
    case "b": escaped = "\u{8}"
    case "f": escaped = "\u{C}"
    case "n": escaped = "\n"
    case "r": escaped = "\r"
    case "t": escaped = "\t"
    case "v": escaped = "\u{B}"
    case "0" where peek(1)?.properties.numericType == nil: escaped = "\0"
    // A string goes on in the next line.
    case "\n", "\r", "\u{2028}", "\u{2029}": escaped = ""
    case "x": return scanCode(2).flatMap { UnicodeScalar($0) }.map { String($0) }
    case "u":
      guard let unit = scanCode(4) else { return nil }
      guard UTF16.isLeadSurrogate(UInt16(unit)) else {
        return UnicodeScalar(unit).map { String($0) }
      }
      // A surrogate without its other half is no character.
      guard current == "\\", peek(1) == "u" else { return nil }
      advance()
      guard let other = scanCode(4), UTF16.isTrailSurrogate(UInt16(other)) else { return nil }
      return String(UTF16.decode(UTF16.EncodedScalar([UInt16(unit), UInt16(other)])))
    default: return nil
    }
    advance()
    return escaped
  }

  /// Scans a letter and hexadecimal digits; nil if there are fewer.
  private mutating func scanCode(_ count: Int) -> UInt32? {
    let digits = text[position...].dropFirst().prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.isASCII && $0.properties.isHexDigit })
    else { return nil }
    position += 1 + count
    return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
  }

  // MARK: Blanks

  /// Skips white space and comments.
  ///
  /// At the end of the text, the line stays that of the last item: a missing part is missing there,
  /// not below the last empty line.
  private mutating func skipBlanks() throws(JSONError) {
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

  private mutating func skipComment() throws(JSONError) {
    guard peek(1) == "*" else {
      while let scalar = current, !scalar.endsLine { advance() }
      return
    }
    let firstLine = line
    advance()
    advance()
    while !(current == "*" && peek(1) == "/") {
      guard current != nil else {
        throw JSONError(line: firstLine, reason: "a comment is not closed")
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

  private func failure(_ reason: String) -> JSONError {
    JSONError(line: line, reason: reason)
  }
}

extension UnicodeScalar {
  /// Whether it is white space in JSON5: that of ECMAScript, including line ends.
  fileprivate var isBlank: Bool {
    switch self {
    case "!"..."~": false
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
