internal import FoundationEssentials

/// The form and the place of an export.
package enum ExportTarget: Equatable, Sendable {
  /// A directory with a file for each picture, and `favorites.ndjson`.
  ///
  /// It is created if it does not exist; its parent must.
  case directory(String)
  /// A tar archive with the same content.
  case tar(String)
  /// A web page with everything in it, to look at: it cannot be imported.
  case html(String)

  /// Creates a target of the form that the path's extension says, by default a directory.
  package init(path: String) {
    let name = path.split(separator: "/").last?.lowercased() ?? ""
    if path.hasSuffix("/") {
      self = .directory(path)
    } else if name.hasSuffix(".tar") {
      self = .tar(path)
    } else if name.hasSuffix(".html") || name.hasSuffix(".htm") {
      self = .html(path)
    } else {
      self = .directory(path)
    }
  }

  /// Whether it is a web page.
  var isPage: Bool { if case .html = self { true } else { false } }

  /// The path.
  package var path: String {
    switch self {
    case .directory(let path), .tar(let path), .html(let path): path
    }
  }
}
