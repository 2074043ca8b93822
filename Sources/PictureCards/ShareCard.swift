internal import CPango
package import PictureCodecs

/// A picture with its text and a credit below it, to show to others.
package struct ShareCard: Sendable {
  /// The picture that was drawn, and whether boxes stand for characters that no font has.
  package struct Drawing: Sendable {
    package let bitmap: Bitmap
    package let lacksGlyphs: Bool
  }

  /// The size for which a picture must be decoded.
  package static let target = PixelSize(
    width: CardMeasures.longestSide, height: CardMeasures.longestSide)

  private let picture: Bitmap
  private let originalSize: PixelSize
  private let text: String?
  private let credit: String

  /// Creates a card.
  ///
  /// - Parameters:
  ///   - picture: decoded to cover ``target``.
  ///   - text: the caption or title; nil or empty for none.
  ///   - credit: the author, the license, the source.
  package init(picture: DecodedPicture, text: String?, credit: String) {
    self.picture = picture.bitmap
    originalSize = picture.originalSize
    self.text = text.flatMap { $0.isEmpty ? nil : $0 }
    self.credit = credit
  }

  /// Draws the card.
  ///
  /// - Throws: ``CardError`` if Pango or every font is missing.
  /// - Complexity: O(pixels); about 0.1 s, most of it to find fonts.
  package func drawn() throws(CardError) -> Drawing {
    let setter = try TextSetter()
    let measures = CardMeasures(picture: originalSize)
    let text = try text.map { text throws(CardError) in
      try SetText(text, measures.text(text), width: measures.width, by: setter)
    }
    let credit = try SetText(credit, measures.credit, width: measures.width, by: setter)
    let textHeight = text.map { $0.height + measures.creditGap } ?? 0
    let canvas = CardCanvas(
      size: PixelSize(
        width: measures.width + 2 * measures.margin,
        height: measures.margin + measures.picture.height + measures.gap + textHeight
          + credit.height + measures.bottom), library: setter.library)
    // As many pixels as are shown, or as there are: Cairo only enlarges.
    let isReduced = picture.size.width > measures.picture.width
    let picture = isReduced ? picture.scaled(to: measures.picture) : picture
    let left = measures.margin + (measures.width - measures.picture.width) / 2
    var y = measures.margin
    try canvas.draw(
      picture, size: measures.picture, radius: measures.radius, x: left, y: y)
    y += measures.picture.height + measures.gap
    if let text {
      try canvas.draw(text, ink: .text, x: measures.margin, y: y)
      y += textHeight
    }
    try canvas.draw(credit, ink: .credit, x: measures.margin, y: y)
    return Drawing(
      bitmap: canvas.bitmap, lacksGlyphs: credit.lacksGlyphs || text?.lacksGlyphs == true)
  }
}
