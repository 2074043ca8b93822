/// A picture as its own codec describes it, before any of it is decoded.
struct CodedPicture: Hashable, Sendable {
  /// The size that is decoded.
  var stored: PixelSize
  /// The part of it that the decoder returns.
  var shown: PixelSize
  /// The samples of a pixel in all planes: 1 without color, 1.5 at 4:2:0, 3 at 4:4:4.
  var samples: Double
  /// The bits of a sample.
  var depth: Int
  /// Whether black is 16 rather than 0, of 8 bits.
  var isNarrow = false
  /// The pictures of this size that the decoder may hold at a time.
  var count = 1

  /// Takes the description of another header, which must say the same: a decoder follows either.
  static func agreed(_ former: CodedPicture?, _ next: CodedPicture) throws -> CodedPicture {
    guard former == nil || former == next else {
      throw PictureError(.damaged, detail: "the headers of the codec contradict each other")
    }
    return next
  }
}
