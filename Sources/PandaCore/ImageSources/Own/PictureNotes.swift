internal import FoundationEssentials
internal import PictureCodecs
internal import SystemSupport

/// The texts of a picture file about the picture: XMP, else IPTC, else EXIF.
struct PictureNotes: Equatable {
  let title: String?
  let description: String?
  let creator: String?
  let rights: String?
  /// The words by which others find it; they may have blanks.
  let keywords: [String]

  init(in file: Data) {
    let (xmp, texts) = (XMPMetadata(in: file), PictureTexts(of: file))
    func clean(_ text: String?) -> String? {
      guard let text, !Self.isNoise(text) else { return nil }
      let clean = text.sanitized(upTo: RemoteImage.captionLimit)
      return clean.isEmpty ? nil : clean
    }
    title = clean(xmp?.title ?? texts.title)
    description = clean(xmp?.description ?? texts.description)
    creator = clean(xmp?.creator ?? texts.creator)
    rights = clean(xmp?.rights)
    keywords = ((xmp?.subjects ?? []) + texts.keywords).filter { !Self.isNoise($0) }
  }

  /// Whether a text is one of another encoding, or none: a tenth of it cannot be in any text.
  private static func isNoise(_ text: String) -> Bool {
    // Some writers fill a field up with zeros.
    let scalars = text.unicodeScalars.reversed().drop { $0 == "\0" }
    let strange = scalars.count { scalar in
      switch scalar.properties.generalCategory {
      case .control: !scalar.properties.isWhitespace
      case .unassigned, .privateUse: true
      default: scalar == "\u{FFFD}"
      }
    }
    return strange * 10 >= max(1, scalars.count) && strange > 0
  }

  /// The description, for a picture that has the title besides.
  var caption: String? { description == title ? nil : description }

  /// The keywords as tags, with hyphens for blanks.
  var tags: [String] {
    let words = keywords.map { keyword in
      keyword.sanitized(upTo: Tags.characterLimit)
        .split { $0.isWhitespace || $0 == "," || $0 == ";" }.joined(separator: "-")
    }
    return Tags.parse(Tags.text(words))
  }
}
