enum LicensePage {
  /// Returns the address of a Creative Commons license or mark, by its name; nil for others.
  static func address(of license: String) -> String? {
    guard let name = LicenseName(license)?.text else { return nil }
    switch name {
    case "CC0": return "https://creativecommons.org/publicdomain/zero/1.0/"
    case "Public Domain Mark": return "https://creativecommons.org/publicdomain/mark/1.0/"
    default: break
    }
    let words = name.split(separator: " ")
    // "CC BY-SA 4.0"; ported licenses, such as "CC BY 2.0 DE", have other pages.
    guard words.count == 3, words[0] == "CC", versions.contains(words[2]) else { return nil }
    return "https://creativecommons.org/licenses/\(words[1].lowercased())/\(words[2])/"
  }

  private static let versions: Set<Substring> = ["1.0", "2.0", "2.5", "3.0", "4.0"]
}
