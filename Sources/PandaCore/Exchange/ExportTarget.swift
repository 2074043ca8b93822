internal import FoundationEssentials

package enum ExportTarget: Hashable, Sendable {
  /// A directory with a file for each picture, and `favorites.ndjson`.
  ///
  /// It is created if it does not exist; its parent must.
  case directory(String)
  /// A web page with everything in it, to look at: it cannot be imported.
  case html(String)
  /// A directory to publish: pages, thumbnails and pictures, without what is not openly licensed
  /// unless all licenses are asked for.
  case site(String, allLicenses: Bool)

  /// Creates a target of the form that the path's ending says, by default a directory.
  ///
  /// - Throws: ``ExchangeError`` for `-`, and for an ending of an archive, of data or of a
  ///   picture: a directory of that name is not what was asked for.
  package init(path: String) throws(ExchangeError) {
    let ending = path.split(separator: "/").last?.split(separator: ".").dropFirst().last
    switch ending?.lowercased() {
    case _ where path.hasSuffix("/"): self = .directory(path)
    case "html", "htm": self = .html(path)
    case let ending? where Self.others.contains(ending):
      throw ExchangeError(.notWritten, path: path)
    case _ where path == "-": throw ExchangeError(.notWritten, path: path)
    default: self = .directory(path)
    }
  }

  /// The endings of what is not written.
  private static let others = Set(
    """
    7z ar bz2 cpio dmg gz iso jar lz lz4 lzma rar tar tbz tbz2 tgz txz tzst xz z zip zst
    csv db epub json json5 jsonl md mht mhtml ndjson pdf sql sqlite sqlite3 toml tsv txt xhtml xml
    yaml yml
    apng avif bmp gif heic heif ico jfif jpe jpeg jpg jxl mp4 png psd svg tif tiff webm webp
    """.split(whereSeparator: \.isWhitespace).map(String.init))

  var isPage: Bool { if case .html = self { true } else { false } }

  package var path: String {
    switch self {
    case .directory(let path), .html(let path), .site(let path, _): path
    }
  }
}
