/// Names a license the way people write it, from a name or a code.
///
/// `cc-by` and a version of `4.0` become `CC BY 4.0`; what is no code stays as it is.
struct LicenseName: Hashable, Sendable {
  /// The name, such as `CC BY-SA 4.0`.
  let text: String
  /// Whether it lets everybody copy, change and sell the work, as freedomdefined.org has it.
  let isOpen: Bool

  /// The most characters of a license's name.
  private static let lengthLimit = 100

  /// - Parameters:
  ///   - name: a name or a code; nil if it is empty.
  ///   - version: the version where the name has none.
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

  /// Reads the name of a Creative Commons license or mark; nil for anything else.
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
    // What follows must be a version, or it is another license that begins alike.
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

  /// How the names of other open licenses begin, as Wikimedia Commons writes them.
  private static let otherOpen: [[String]] = [
    ["public", "domain"], ["pd"], ["no", "restrictions"], ["copyrighted", "free", "use"],
    ["attribution"], ["gfdl"], ["gnu", "free"], ["fal"], ["free", "art"], ["ogl"], ["godl"],
    ["kogl", "type", "1"], ["mit"], ["gpl"], ["lgpl"], ["agpl"], ["apache"], ["bsd"], ["wtfpl"],
  ]
}
