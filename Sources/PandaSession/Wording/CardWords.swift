internal import PandaCore

struct CardWords {
  /// The caption, or else the title; nil if it has neither.
  let text: String?
  /// The author, the license and the source, as the gallery of an export has them.
  let credit: String

  init(_ image: RemoteImage) {
    text = [image.caption, image.title].lazy.compactMap { Self.clean($0, upTo: 500) }.first
    let isOfFolder = ImageDescription(image).creditLine.isEmpty
    credit = (isOfFolder ? [] : [image.credit, image.license, image.source])
      .compactMap { Self.clean($0, upTo: 200).map(Self.isolated) }.joined(separator: " · ")
  }

  private static func clean(_ text: String?, upTo limit: Int) -> String? {
    let clean = text?.sanitized(upTo: limit)
    return clean?.contains { $0 != " " } == true ? clean : nil
  }

  /// Text whose direction does not affect what is beside it (Unicode Standard Annex 9).
  private static func isolated(_ text: String) -> String { "\u{2068}\(text)\u{2069}" }
}
