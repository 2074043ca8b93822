/// Text from outside as part of an HTML page.
enum HTMLText {
  /// Returns the text such that a browser shows it literally, in an element or in a quoted
  /// attribute.
  ///
  /// Control characters, which HTML forbids, become spaces.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default:
        let isControl = scalar.properties.generalCategory == .control
        escaped.unicodeScalars.append(isControl || isNoncharacter(scalar) ? " " : scalar)
      }
    }
    return escaped
  }

  private static func isNoncharacter(_ scalar: UnicodeScalar) -> Bool {
    scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }
}
