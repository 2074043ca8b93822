package import FoundationEssentials
package import PandaCore

/// The line that credits a picture: its title, author, license and, if it may be passed on, page.
package struct CreditLine {
  package let text: String

  /// - Parameter named: the user's own sources, whose hosts may be private.
  package init(_ image: RemoteImage, named: [URL]) {
    let name = image.title ?? "Red panda"
    let made = image.credit.map { "\(name), \($0)" } ?? name
    let licensed = image.license.map { "\(made) (\($0))" } ?? made
    let via = "\(licensed), via \(image.source)"
    let address = Self.address(image.page ?? image.url, named: named)
    text = (address.map { "\(via): \($0)" } ?? via).sanitized(upTo: 5_000)
  }

  /// Returns an address that may be passed on: of the public web, a drawing or a file; or nil.
  package static func address(_ url: URL, named: [URL]) -> String? {
    ["http", "https"].contains(url.scheme?.lowercased())
      ? WebAddress(url, named: named)?.description : url.absoluteString
  }
}
