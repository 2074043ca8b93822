/// The reason why a picture cannot be shown, as one user message.
package struct PictureError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The bytes are not a picture; the value is their actual format, if known.
    case notAPicture(PictureFormat?)

    /// A picture in a format or variant that cannot be decoded.
    case unsupported(PictureFormat)

    /// A library that decodes this format is not installed; Debian's package has it.
    case needsLibrary(PictureFormat, package: String)

    /// The file is larger than the limit; both are in bytes.
    case tooManyBytes(Int, limit: Int)

    case tooManyPixels(PixelSize, limit: Int, sideLimit: Int)

    /// Decoding needs too much memory or time at this size, because of how the picture is stored:
    /// interlaced, in many passes, or lossless.
    case tooCostly(PictureFormat, PixelSize)

    case tooSlow(limit: Duration)

    case damaged

    /// The bytes end before the first row of pixels, or where all are needed, before the last.
    case incomplete
  }

  package let kind: Kind

  /// The decoder's message, for a log: not for users, and not sanitized.
  package let detail: String?

  package init(_ kind: Kind, detail: String? = nil) {
    self.kind = kind
    self.detail = detail
  }

  /// The sentence, with the decoder's message; see ``detail``.
  package var cause: String { detail.map { "\(self) [\($0)]" } ?? description }

  /// One sentence that says what failed and why, without any text from the picture.
  package var description: String {
    switch kind {
    case .notAPicture(nil):
      return "This is not a picture in any format that Panda knows."
    case .notAPicture(.some(let format)):
      return "This is not a picture but a \(format.name)."
    case .unsupported(let format) where format.isDecodable:
      return "This kind of \(format.name) picture is not supported yet."
    case .unsupported(let format):
      return "\(format.name) pictures are not supported: Panda shows \(Self.supportedNames)."
    case .needsLibrary(let format, let package):
      return "\(format.name) pictures need a library that is not installed: "
        + "apt-get install \(package)"
    case .tooManyBytes(let count, let limit):
      return "This picture is too large: the file has \(Self.megabytes(count, roundedUp: true)), "
        + "and Panda opens up to \(Self.megabytes(limit))."
    case .tooManyPixels(let size, let limit, let sideLimit):
      return "This picture is too large: it is \(size.width) x \(size.height) pixels, and Panda "
        + "opens up to \(limit / 1_000_000) megapixels and \(sideLimit) pixels a side."
    case .tooCostly(let format, let size):
      let way =
        switch format {
        case .png, .gif: "interlaced"
        case .webp: "lossless or transparent"
        case .heic, .avif: "decoded as a whole"
        default: "stored in many passes"
        }
      return "This picture is too large for the way it is stored: it is \(size.width) x "
        + "\(size.height) pixels, \(way)."
    case .tooSlow(let limit):
      return "This picture takes too long to decode: more than "
        + "\(limit.components.seconds) seconds."
    case .damaged:
      return "This picture is damaged: its data is inconsistent."
    case .incomplete:
      return "This picture is incomplete: its data ends too early."
    }
  }

  /// "JPEG, PNG, GIF and WebP".
  private static var supportedNames: String {
    let names = PictureFormat.allCases.filter(\.isDecodable).map(\.name)
    return names.dropLast().joined(separator: ", ") + " and " + names.last!
  }

  /// Formats a size: "20 MB", "20.1 MB", by 1,000,000 and with at most one decimal.
  private static func megabytes(_ count: Int, roundedUp: Bool = false) -> String {
    let tenths = count / 100_000 + (roundedUp && count % 100_000 > 0 ? 1 : 0)
    return tenths % 10 == 0 ? "\(tenths / 10) MB" : "\(tenths / 10).\(tenths % 10) MB"
  }
}
