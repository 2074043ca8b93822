/// The usual name of a license, derived from a name or a code.
///
/// `cc-by` and a version of `4.0` become `CC BY 4.0`; a name that is not a code is unchanged.
struct LicenseName: Hashable, Sendable {
  /// The name, such as `CC BY-SA 4.0`.
  let text: String
  /// Whether everyone may copy, change and sell the work, as freedomdefined.org defines it.
  let isOpen: Bool

  /// The maximum number of characters of a license's name.
  private static let lengthLimit = 100

  /// - Parameters:
  ///   - name: a name or a code; the result is nil if it is empty.
  ///   - version: the version, if the name has none.
  init?(_ name: String, version: String? = nil) {
    guard !name.isEmpty, name.count <= Self.lengthLimit else { return nil }
    let words = name.lowercased().split { " -_/".contains($0) }.map(String.init)
    if let creative = Self.creativeCommons(words, version: version) {
      (text, isOpen) = creative
    } else {
      text = name
      isOpen =
        Self.otherOpen.contains { words.starts(with: $0) }
        && !words.contains { Self.closing.contains($0) }
    }
  }

  /// Parses the name of a Creative Commons license or mark; nil for anything else.
  private static func creativeCommons(
    _ words: [String], version: String?
  ) -> (text: String, isOpen: Bool)? {
    var rest = words[...]
    let hasPrefix = rest.first == "cc"
    if hasPrefix { rest.removeFirst() }
    switch rest.first {
    case "cc0", "zero": return ("CC0", true)
    case "0" where hasPrefix: return ("CC0", true)
    case "pdm": return ("Public Domain Mark", true)
    default: break
    }
    var elements: [String] = []
    while let word = rest.first, ["by", "sa", "nc", "nd"].contains(word) {
      elements.append(word.uppercased())
      rest.removeFirst()
    }
    guard elements.first == "BY", Set(elements).count == elements.count else { return nil }
    // The rest must be a version, or it is another license with the same beginning.
    var tail = rest.map { $0 }
    if tail.isEmpty, let version, !version.isEmpty, version.count <= 10 { tail = [version] }
    guard tail.first?.first?.isNumber ?? true, tail.count <= 3 else { return nil }
    let name = (["CC", elements.joined(separator: "-")] + tail).joined(separator: " ")
    return (name, !elements.contains("NC") && !elements.contains("ND"))
  }

  /// The words of a name that keep a license from being open.
  private static let closing: Set<String> = [
    "nc", "nd", "non", "noncommercial", "noderivatives", "noderivs", "noderivative",
  ]

  /// The beginnings of other open licenses' names, as Wikimedia Commons writes them.
  private static let otherOpen: [[String]] = [
    ["public", "domain"], ["pd"], ["no", "restrictions"], ["copyrighted", "free", "use"],
    ["attribution"], ["gfdl"], ["gnu", "free"], ["fal"], ["free", "art"], ["ogl"], ["godl"],
    ["kogl", "type", "1"], ["mit"], ["gpl"], ["lgpl"], ["agpl"], ["apache"], ["bsd"], ["wtfpl"],
  ]
}
