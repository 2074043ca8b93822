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
      let text = text?.sanitized(upTo: RemoteImage.captionLimit)
      return text?.isEmpty == false ? text : nil
    }
    title = clean(xmp?.title ?? texts.title)
    description = clean(xmp?.description ?? texts.description)
    creator = clean(xmp?.creator ?? texts.creator)
    rights = clean(xmp?.rights)
    keywords = xmp?.subjects.isEmpty == false ? xmp!.subjects : texts.keywords
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
