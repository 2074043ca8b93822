package import FoundationEssentials

/// The texts about a picture in its file, from EXIF and IPTC: untrusted.
///
/// XMP, which is XML, is for the caller.
package struct PictureTexts: Hashable, Sendable {
  /// The title (IPTC 2:05).
  package private(set) var title: String?
  /// The caption (IPTC 2:120), or else EXIF's ImageDescription.
  package private(set) var description: String?
  /// The author (IPTC 2:80).
  package private(set) var creator: String?
  /// The keywords (IPTC 2:25), at most 100.
  package private(set) var keywords: [String] = []

  /// Reads the texts of a file; without any if there are none, or they are damaged.
  ///
  /// - Complexity: O(segments or chunks before the pixels, and their texts).
  package init(of file: Data) {
    file.withUnsafeBytes { bytes in
      var exif: EXIFDirectory?
      switch PictureFormat(sniffing: bytes) {
      case .jpeg:
        // The decoder reports faults of the file.
        guard let structure = try? JPEGStructure(upToFrameOf: bytes) else { return }
        exif = structure.exif.flatMap { EXIFDirectory(bytes, in: $0) }
        if let resources = structure.photoshop {
          readResources(UnsafeRawBufferPointer(rebasing: bytes[resources]))
        }
      case .png:
        for chunk in PNGChunks(bytes) where chunk.kind == "eXIf" {
          exif = EXIFDirectory(bytes, in: chunk.content)
        }
      default: return
      }
      if description == nil, let text = exif?.text(0x010E), !Self.isOfCamera(text) {
        description = text
      }
    }
  }

  /// Whether a description is one that a camera writes into each of its pictures.
  private static func isOfCamera(_ text: String) -> Bool {
    let word = text.uppercased().filter { !$0.isWhitespace }
    return word.isEmpty || word.hasSuffix("DIGITALCAMERA") || word.hasPrefix("DCIM")
      || ["SONYDSC", "DEFAULT", "SAMSUNGCAMERAPICTURES", "DIGITALIMAGE", "PICTURE"].contains(word)
  }

  /// Reads Photoshop's image resources: `8BIM`, a number, a name and data, both padded to even.
  private mutating func readResources(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while bytes.holds("8BIM", at: offset), let number = bytes.bigEndian16(at: offset + 4),
      let name = bytes.byte(at: offset + 6)
    {
      let length = offset + 6 + (Int(name) + 2) / 2 * 2
      guard let count = bytes.bigEndian32(at: length) else { return }
      let content = length + 4..<min(length + 4 + count, bytes.count)
      guard content.lowerBound <= bytes.count else { return }
      if number == 0x0404 { readDatasets(UnsafeRawBufferPointer(rebasing: bytes[content])) }
      offset = length + 4 + (count + 1) / 2 * 2
    }
  }

  /// Reads IPTC's datasets (IIM 4.2, 1.5): 28, a record, a number, a length, and data.
  private mutating func readDatasets(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while bytes.byte(at: offset) == 28, let count = bytes.bigEndian16(at: offset + 3),
      // Longer ones have another form, and hold no text.
      count < 0x8000, offset + 5 + count <= bytes.count
    {
      let text = String(foreign: bytes[offset + 5..<offset + 5 + count])
      switch (bytes[offset + 1], bytes[offset + 2]) {
      case (2, 5) where title == nil: title = text
      case (2, 25) where keywords.count < 100: keywords.append(text)
      case (2, 80) where creator == nil: creator = text
      case (2, 120) where description == nil: description = text
      default: break
      }
      offset += 5 + count
    }
  }
}
