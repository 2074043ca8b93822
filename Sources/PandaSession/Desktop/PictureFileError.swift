/// The reason why a picture was not saved to a file.
package struct PictureFileError: Error, Hashable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The typed text has no path.
    case noName
    /// A file with the name exists; it is left as it is.
    case exists
    /// The name is that of another kind of picture, and a card is a PNG file.
    case notPNG
  }

  package let reason: Reason
  /// The path of the file that was to be written.
  package let path: String

  package init(reason: Reason, path: String) {
    self.reason = reason
    self.path = path
  }

  /// One user message, sanitized.
  package var description: String {
    let path = path.sanitized(upTo: 200)
    return switch reason {
    case .noName: "Type the name of a file."
    case .exists: "\(path) exists already: choose another name."
    case .notPNG: "A card is a PNG file: choose a name that ends in .png."
    }
  }
}
