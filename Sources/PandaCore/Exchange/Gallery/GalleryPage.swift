internal import FoundationEssentials
internal import Pantry

/// A web page of favorites, as pieces of text.
///
/// Everything is in it, unless it is a page of a site.
enum GalleryPage {
  /// The limits of a page with everything in it.
  static let limits = ExchangeLimits.page

  /// The name by which a later export recognizes the page, at its beginning.
  private static let generator = "<meta name=\"generator\" content=\"panda-favorites\">"

  /// The number of bytes of a file that ``isOurs(_:)`` needs.
  static let beginningByteCount = 512

  /// Returns whether a file begins like a page of this kind.
  static func isOurs(_ beginning: Data) -> Bool {
    String(decoding: beginning, as: UTF8.self).contains(generator)
  }

  /// The page before the first picture.
  ///
  /// - Parameters:
  ///   - heading: such as what the pictures have in common; nil for the usual one.
  ///   - policy: what a browser may load.
  static func beginning(heading: String? = nil, policy: String = GalleryStyle.policy) -> String {
    let heading = HTMLText.escaped(heading ?? "Red pandas")
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      \(generator)
      <meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(heading)</title>
      <style>\(GalleryStyle.text)</style>
      </head>
      <body>
      <header><h1 dir="auto">\(heading)</h1></header>
      <main>
      <ul>

      """
  }

  /// The page after the last picture.
  ///
  /// - Parameter navigation: links to the other pages.
  static func end(count: Int, navigation: String = "") -> String {
    let favorites = count == 1 ? "1 favorite" : "\(count) favorites"
    return """
      </ul>
      </main>
      \(navigation)<footer><p>\(favorites). Each picture belongs to its author.</p></footer>
      </body>
      </html>

      """
  }

  /// The part of a picture before its data.
  static func opening(_ image: RemoteImage, number: Int, mediaType: String) -> String {
    """
    <li id="panda-\(number)">
    <figure>
    <a class="open" href="#panda-\(number)"><img alt="\(HTMLText.escaped(alternative(image)))" \
    width="\(image.width)" height="\(image.height)" \
    src="data:\(mediaType);base64,
    """
  }

  /// The part of a picture after its data.
  ///
  /// - Parameter named: the user's own sources, whose hosts may be private.
  static func closing(_ image: RemoteImage, number: Int, named: [URL] = []) -> String {
    // A target that does not exist: the page stays where it was.
    [
      "\"></a>", caption(image, named: named), "<a class=\"close\" href=\"#all\">Back to all</a>",
      "</figure>", "</li>", "",
    ].joined(separator: "\n")
  }

  /// What is known about a picture.
  static func caption(_ image: RemoteImage, named: [URL]) -> String {
    var lines = ["<figcaption>"]
    if let name = name(image) {
      lines.append("<p class=\"name\" dir=\"auto\">\(HTMLText.escaped(name))</p>")
    }
    lines.append("<p class=\"credit\">\(credit(image, named))</p>")
    let date = image.savedAt ?? image.createdAt
    lines.append(
      "<time datetime=\"\(ExactDate.day(date))\">\(HTMLText.escaped(PictureDay(date).words))</time>"
    )
    if !image.tags.isEmpty {
      let tags = image.tags.map { "<li dir=\"auto\">\(HTMLText.escaped($0))</li>" }
      lines.append("<ul class=\"tags\" aria-label=\"Tags\">\(tags.joined())</ul>")
    }
    lines.append("</figcaption>")
    return lines.joined(separator: "\n")
  }

  private static func name(_ image: RemoteImage) -> String? {
    [image.caption, image.title].lazy.compactMap(\.self).first { !$0.isEmpty }
  }

  /// The text in place of the picture: what it shows, if that is known.
  static func alternative(_ image: RemoteImage) -> String {
    let about = image.about.flatMap { $0.isEmpty ? nil : $0 }
    return about ?? name(image) ?? "A red panda from \(image.source)"
  }

  /// The author, the license and the source, with links to them.
  private static func credit(_ image: RemoteImage, _ named: [URL]) -> String {
    var parts: [String] = []
    if let credit = image.credit, !credit.isEmpty { parts.append(isolated(credit)) }
    if let license = image.license, !license.isEmpty {
      parts.append(linked(isolated(license), to: LicensePage.address(of: license)))
    }
    let page = WebAddress(image.page ?? image.url, named: named)?.description
    parts.append(linked(isolated(image.source), to: page))
    return parts.joined(separator: " · ")
  }

  /// Text whose direction does not affect what is beside it.
  private static func isolated(_ text: String) -> String { "<bdi>\(HTMLText.escaped(text))</bdi>" }

  private static func linked(_ html: String, to address: String?) -> String {
    guard let address else { return html }
    return "<a rel=\"noopener noreferrer\" href=\"\(HTMLText.escaped(address))\">\(html)</a>"
  }
}
