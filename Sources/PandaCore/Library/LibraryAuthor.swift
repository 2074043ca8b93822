internal import FoundationEssentials
internal import Glibc

/// Whom a shared library names for a change.
package enum LibraryAuthor {
  /// The greatest length of a name, in characters.
  package static let limit = 60

  /// The user and the machine, such as `ada@kitchen`.
  ///
  /// - Complexity: looks the user up, which may ask a directory service.
  package static var ofThisProcess: String {
    let user = getpwuid(geteuid()).flatMap { String(validatingCString: $0.pointee.pw_name) }
    let host = ProcessInfo.processInfo.hostName.prefix { $0 != "." }
    return normalized("\(user ?? "somebody")@\(host.isEmpty ? "localhost" : host)") ?? "somebody"
  }

  /// Returns a name without blanks at its ends and without control characters; nil if none is left
  /// or it is too long.
  package static func normalized(_ name: String) -> String? {
    let words = name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let isPrintable = words.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
        .unassigned:
        false
      default: true
      }
    }
    guard isPrintable, !words.isEmpty, words.count <= limit else { return nil }
    return words
  }
}
