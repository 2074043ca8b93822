internal import FoundationEssentials
internal import Pantry

/// A page of a site: thumbnails with their credits, which lead to the pictures.
struct SitePage {
  struct Item {
    let image: RemoteImage
    /// The name of its files, without folder and ending.
    let name: String
    let ending: String
  }

  static let first = "index.html"
  static let pictures = "pictures"
  static let thumbnails = "thumbnails"
  /// The number of pictures on a page.
  static let length = 100

  let name: String
  let html: String

  /// Returns the pages, the first one first.
  ///
  /// Each of the others is named by what is on it.
  static func pages(of items: [Item], heading: String?, named: [URL]) -> [SitePage] {
    let parts = stride(from: 0, to: max(items.count, 1), by: length).map {
      items[min($0, items.count)..<min($0 + length, items.count)]
    }
    let lists = parts.map { part in
      part.map { Self.listed($0, named) }.joined()
    }
    let names = lists.enumerated().map { index, list in
      let digest = ContentDigest(of: Data("\(heading ?? "")\n\(list)".utf8)).hexadecimal
      return index == 0 ? first : "page-\(index + 1)-\(digest.prefix(16)).html"
    }
    return lists.enumerated().map { index, list in
      let end = GalleryPage.end(
        count: items.count, navigation: lists.count == 1 ? "" : navigation(names, at: index))
      return SitePage(
        name: names[index],
        html: GalleryPage.beginning(heading: heading, policy: GalleryStyle.sitePolicy) + list + end)
    }
  }

  private static func listed(_ item: Item, _ named: [URL]) -> String {
    let file = "\(item.name).\(item.ending)"
    let image = item.image
    return """
      <li>
      <figure>
      <a class="open" href="\(pictures)/\(file)"><img loading="lazy" decoding="async" \
      alt="\(HTMLText.escaped(GalleryPage.alternative(image)))" \
      width="\(image.width)" height="\(image.height)" src="\(thumbnails)/\(file)"></a>
      \(GalleryPage.caption(image, named: named))
      </figure>
      </li>

      """
  }

  private static func navigation(_ names: [String], at index: Int) -> String {
    let links = names.enumerated().map { number, name in
      number == index
        ? "<span aria-current=\"page\">\(number + 1)</span>"
        : "<a href=\"\(name)\">\(number + 1)</a>"
    }
    return "<nav aria-label=\"Pages\">\(links.joined(separator: " "))</nav>\n"
  }
}
