internal import FoundationEssentials
package import PandaCore
internal import Pantry
package import PictureCodecs

/// The destination of a picture, parsed from the text that the user typed.
package struct SaveDestination: Hashable, Sendable {
  /// The directory, absolute.
  let directory: String
  /// The name of the file in it, including the extension.
  let name: String

  var path: String { directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)" }

  /// Parses the typed text; nil if it is blank or cannot be a path.
  ///
  /// `~` is the home directory, as in a shell; `~somebody` is an ordinary name. A name without an
  /// extension gets the picture's own; any other extension is left as typed.
  ///
  /// - Parameters:
  ///   - typed: the text; blanks around it are ignored.
  ///   - format: the format of the picture; nil if it is unknown.
  ///   - suggestion: the file name if a directory was typed.
  ///   - home: the home directory.
  ///   - currentDirectory: the base of a relative path.
  ///   - isDirectory: returns whether there is a directory at a path.
  init?(
    typed: String, format: PictureFormat?, suggestion: String, home: String,
    currentDirectory: String, isDirectory: (String) -> Bool
  ) {
    guard let path = Self.absolute(typed, home: home, currentDirectory: currentDirectory) else {
      return nil
    }
    if path.hasSuffix("/") || isDirectory(path) {
      directory = path
      name = suggestion
    } else {
      let slash = path.lastIndex(of: "/") ?? path.startIndex
      directory = slash == path.startIndex ? "/" : String(path[..<slash])
      name = Self.withExtension(String(path[path.index(after: slash)...]), format)
    }
  }

  /// Returns the absolute path of a typed one; nil if it is blank or cannot be a path.
  package static func absolute(_ typed: String, home: String, currentDirectory: String) -> String? {
    var path = String(typed.drop { $0.isWhitespace })
    while path.last?.isWhitespace == true { path.removeLast() }
    guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
    if path == "~" {
      path = home
    } else if path.hasPrefix("~/") {
      path = home + path.dropFirst(home.hasSuffix("/") ? 2 : 1)
    }
    return path.hasPrefix("/") ? path : "\(currentDirectory)/\(path)"
  }

  /// Suggests a name such as `dozing-in-snow-1f0a9c.jpg`: the title, and the first six digits of
  /// the digest.
  ///
  /// Without a title it has the day of fetching it: `red-panda-2026-10-03-1f0a9c`.
  package static func suggestion(for image: RemoteImage, format: PictureFormat?) -> String {
    let digits = image.dataRepresentation.digest.hexadecimal.prefix(6)
    let title = (image.caption ?? image.title).map { PictureTitle($0).whole } ?? ""
    let words = title.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    guard words.isEmpty else {
      return withExtension("\(words.prefix(60))-\(digits)", format)
    }
    let day = CalendarDay(image.createdAt)?.numbers
    let name = ["red-panda", day, String(digits)].compactMap(\.self).joined(separator: "-")
    return withExtension(name, format)
  }

  private static func withExtension(_ name: String, _ format: PictureFormat?) -> String {
    guard let suffix = format?.filenameExtension, !hasExtension(name) else { return name }
    return name.hasSuffix(".") ? name + suffix : "\(name).\(suffix)"
  }

  /// Returns whether a name ends in a file extension.
  ///
  /// A year is none, and neither is the rest of a sentence.
  private static func hasExtension(_ name: String) -> Bool {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return false }
    let end = name[name.index(after: dot)...]
    return (1...5).contains(end.count) && end.contains { $0.isLetter }
      && end.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
