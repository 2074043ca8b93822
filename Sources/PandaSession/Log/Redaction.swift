/// Removes secrets from texts that others worded: libcurl, a server, the user.
extension String {
  /// The text with only host and path of each address, and without the values of secrets.
  ///
  /// User names, passwords, queries and fragments are left out. An address may be anywhere in the
  /// text, and may be invalid: where it is unclear which part is a password, more is left out.
  var withoutSecrets: String {
    split(separator: " ", omittingEmptySubsequences: false).map(Redaction.word)
      .joined(separator: " ")
  }
}

/// The rules of `withoutSecrets` for a word, which has no space.
private enum Redaction {
  static let mark = "…"

  private static let secretNames = [
    "key", "token", "secret", "password", "passwd", "pwd", "auth", "credential", "session", "sig",
  ]

  static func word(_ word: Substring) -> String {
    guard word.utf8.contains(where: marks.contains) else { return String(word) }
    if let (before, after) = addressStart(word) {
      return loose(before) + "://" + address(after)
    }
    return loose(word)
  }

  /// A word without any of these is harmless.
  private static let marks = Array("@?#=:".utf8)

  /// The parts before and after the first `://`; nil if there is none.
  private static func addressStart(_ word: Substring) -> (before: Substring, after: Substring)? {
    let bytes = word.utf8
    var place = bytes.startIndex
    while let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) {
      place = bytes.index(after: colon)
      if bytes[place...].starts(with: "//".utf8) {
        return (word[..<colon], word[bytes.index(place, offsetBy: 2)...])
      }
    }
    return nil
  }

  /// The rest of an address after `://`.
  private static func address(_ text: Substring) -> String {
    let end = text.firstIndex { "/\\?#&".contains($0) } ?? text.endIndex
    let authority = text[..<end]
    let rest = text[end...]
    // A password may hold any character, and then the host is not where it seems to be.
    if rest.contains("@"), authority.contains(where: { ":@".contains($0) }) { return mark }
    let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    guard hasPlainPort(host) else { return mark }
    let path = rest.prefix { !"?#&".contains($0) }
    let isWhole = path.endIndex == rest.endIndex
    // An address may hold another one in its path.
    let shown = addressStart(path) == nil ? String(path) : word(path)
    return host + shown + (isWhole ? "" : mark)
  }

  /// Whether what follows the host is the number of a port, and not a password.
  private static func hasPlainPort(_ authority: Substring) -> Bool {
    let afterHost = authority.lastIndex(of: "]").map { authority[$0...].dropFirst() } ?? authority
    guard let colon = afterHost.firstIndex(of: ":") else { return true }
    let port = afterHost[colon...].dropFirst()
    // A sentence may continue after the address.
    let digits = port.prefix { $0.isASCII && $0.isNumber }
    return port.dropFirst(digits.count).allSatisfy { "'\",.:;)]}>".contains($0) }
  }

  /// A word that is no whole address: `user:password@host`, `/path?query`, `name=value`.
  private static func loose(_ word: Substring) -> String {
    if let at = word.lastIndex(of: "@") {
      let before = word[..<at]
      let isName = before.contains { $0.isLetter || $0.isNumber }
      if before.contains(":") || isName && !before.contains("/") {
        return mark + cut(word[at...])
      }
    }
    return cut(word)
  }

  /// Cuts a query off, and the values of secrets.
  private static func cut(_ word: Substring) -> String {
    if let query = word.firstIndex(where: { "?#".contains($0) }),
      word.first == "/" || word[query...].contains("=")
    {
      return word[..<query] + mark
    }
    return word.split(separator: "&", omittingEmptySubsequences: false).map(value)
      .joined(separator: "&")
  }

  /// Leaves the value of a secret out.
  private static func value(_ pair: Substring) -> String {
    guard let equals = pair.firstIndex(of: "=") else { return String(pair) }
    let name = pair[..<equals].lowercased()
    return secretNames.contains { name.contains($0) } ? pair[...equals] + mark : String(pair)
  }
}
