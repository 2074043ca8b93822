internal import Foundation
@testable internal import PandaCore

/// Texts in pictures' XMP, and in the HTML of services.
enum XMPParsing {
  static func parse(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    let plain = PlainText.of(html: text)
    try require(plain.count <= text.count, "plain text is no longer than its HTML")
    _ = LicenseName(text)
    guard let metadata = XMPMetadata(in: Data(input)) else { return }
    for text in [metadata.title, metadata.description, metadata.rights] {
      try require((1...500).contains(text?.count ?? 1), "a text has 1 to 500 characters")
    }
  }
}
