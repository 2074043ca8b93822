internal import PictureCodecs

/// The measures of a card, in pixels.
struct CardMeasures {
  /// The most pixels on the longer side of a picture.
  static let longestSide = 1_200
  /// Smaller pictures are enlarged to this, but never to more than twice their size.
  static let leastSide = 800
  /// Text needs this much room, however narrow the picture is.
  private static let leastWidth = 560
  /// The longest text in large letters.
  private static let shortText = 160

  /// The size at which the picture is shown.
  let picture: PixelSize
  /// The width of the text, and of the picture unless that is narrower.
  let width: Int
  /// The factor of all other measures.
  private let scale: Double

  init(picture original: PixelSize) {
    picture = Self.shown(original)
    width = max(picture.width, Self.leastWidth)
    scale = Double(width) / Double(Self.longestSide)
  }

  /// Returns the size at which a picture is shown.
  static func shown(_ original: PixelSize) -> PixelSize {
    let longer = Double(max(original.width, original.height, 1))
    let factor =
      longer > Double(longestSide)
      ? Double(longestSide) / longer : min(2, max(1, Double(leastSide) / longer))
    return PixelSize(
      width: max(1, Int((Double(original.width) * factor).rounded())),
      height: max(1, Int((Double(original.height) * factor).rounded())))
  }

  var margin: Int { pixels(60) }
  /// Between the picture and the text.
  var gap: Int { pixels(36) }
  /// Between the text and the credit.
  var creditGap: Int { pixels(20) }
  var bottom: Int { pixels(52) }
  var radius: Double { Double(pixels(14)) }

  /// The style of the text: long ones are smaller.
  func text(_ text: String) -> TextStyle {
    let size = text.count > Self.shortText ? 32.0 : 40
    return TextStyle(size: max(24, size * scale), isCentered: isNarrow)
  }

  var credit: TextStyle { TextStyle(size: max(18, 22 * scale), isCentered: isNarrow) }

  /// Whether the picture is narrower than the text: both have the same center then.
  private var isNarrow: Bool { picture.width < width }

  private func pixels(_ number: Double) -> Int {
    Int((number * max(0.75, scale)).rounded())
  }
}
