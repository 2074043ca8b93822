package import FoundationEssentials

/// Removes what picture files say beside the picture, such as place, camera and owner.
///
/// A list of what stays, so that what no one has thought of goes: pixels, orientation, color and
/// animation stay, and what follows the picture's end goes. The pixels are not touched. Of a HEIC
/// or AVIF the notes become zeros, and of a color profile its texts.
package enum PictureMetadata {
  /// Returns the file without metadata, or as it is if it has none.
  ///
  /// - Returns: nil if the result would not be the same picture: the file is damaged, or it is a
  ///   HEIC or AVIF that is a video besides.
  /// - Complexity: O(n).
  package static func stripped(_ data: Data) -> Data? { stripped(data, keepsProfiles: false) }

  /// Whether a file says more than the picture and its colors, such as place, camera and owner.
  ///
  /// True if that cannot be told. Most color profiles have texts, which are none of these.
  ///
  /// - Complexity: O(n).
  package static func hasNotes(_ data: Data) -> Bool {
    stripped(data, keepsProfiles: true) != data
  }

  private static func stripped(_ data: Data, keepsProfiles: Bool) -> Data? {
    data.withUnsafeBytes { bytes in
      guard let header = try? PictureHeader(reading: bytes) else { return nil }  // damaged
      // Rewritten, with nothing else; nil if it is the usual one.
      let exif = header.orientation == .topLeft ? nil : exif(header.orientation)
      let kept: [UInt8]
      switch header.format {
      case .jpeg: kept = jpeg(bytes, exif, keepsProfiles)
      case .png: kept = png(bytes, exif, keepsProfiles)
      case .gif: kept = gif(bytes, keepsProfiles)
      case .webp: kept = webp(bytes, exif, keepsProfiles)
      case .heic, .avif:
        let whole = try? HEIFStripper.strip(bytes, header.format, keepsProfiles)  // damaged, tracks
        guard let whole else { return nil }
        kept = whole
      case .bmp: return data
      default: return nil
      }
      guard !bytes.elementsEqual(kept) else { return data }
      let same = kept.withUnsafeBytes { try? PictureHeader(reading: $0) }  // nil: not the same
      return same == header ? Data(kept) : nil
    }
  }

  /// EXIF data with an orientation alone: a TIFF directory of one entry.
  private static func exif(_ orientation: PictureOrientation) -> [UInt8] {
    Array("MM\0*\0\0\0\u{8}".utf8) + [0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
  }

  // MARK: JPEG

  private static func jpeg(
    _ bytes: UnsafeRawBufferPointer, _ exif: [UInt8]?, _ keepsProfiles: Bool
  ) -> [UInt8] {
    var kept: [UInt8] = [0xFF, 0xD8]
    if let exif { kept += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    var profile = PictureColors.profile(jpeg: bytes)?.withoutTexts ?? []
    var offset = 2
    while let introducer = bytes.byte(at: offset) {
      guard introducer == 0xFF, let marker = bytes.byte(at: offset + 1) else {
        offset += 1  // a stray byte
        continue
      }
      switch marker {
      case 0xFF: offset += 1  // a fill byte
      case 0x00, 0x01, 0xD0...0xD8: offset += 2
      case 0xD9: return kept + [0xFF, 0xD9]
      default:
        guard let length = bytes.bigEndian16(at: offset + 2), length >= 2 else { return kept }
        var end = offset + 2 + length
        guard end <= bytes.count else { return kept }
        if marker == 0xDA {
          end = JPEGStructure.endOfScan(in: bytes, from: end) ?? bytes.count
        }
        switch marker {
        // Frames, tables and scans, but what decoders pass over.
        case 0xC0...0xC7, 0xC9...0xCF, 0xDA, 0xDB, 0xDD: kept += bytes[offset..<end]
        // The version, and how wide a pixel is; a preview and texts may follow.
        case 0xE0 where length >= 16 && bytes.holds("JFIF\0", at: offset + 4):
          kept += segment(0xE0, bytes[offset + 4..<offset + 16] + [0, 0])
        // How colors are stored.
        case 0xEE where length >= 14 && bytes.holds("Adobe", at: offset + 4):
          kept += segment(0xEE, Array(bytes[offset + 4..<offset + 16]))
        case 0xE2 where bytes.holds("ICC_PROFILE\0", at: offset + 4) && keepsProfiles:
          kept += bytes[offset..<end]
        case 0xE2 where bytes.holds("ICC_PROFILE\0", at: offset + 4):
          // All pieces are here; those that make no profile go.
          let pieces = stride(from: 0, to: profile.count, by: 65_000).map {
            profile[$0..<min($0 + 65_000, profile.count)]
          }
          for (index, piece) in pieces.enumerated() {
            let place = [UInt8(index + 1), UInt8(pieces.count)]
            kept += segment(0xE2, Array("ICC_PROFILE\0".utf8) + place + piece)
          }
          profile = []
        default: break
        }
        offset = end
      }
    }
    return kept
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
  }

  // MARK: PNG

  /// The chunks that stay, with the most bytes that their content has.
  private static let pngKept = [
    "tRNS": 256, "gAMA": 4, "cHRM": 32, "sRGB": 1, "cICP": 4, "mDCV": 24, "cLLI": 8, "sBIT": 4,
    "bKGD": 6, "pHYs": 9, "acTL": 8, "fcTL": 26, "fdAT": .max,
  ]

  private static func png(
    _ bytes: UnsafeRawBufferPointer, _ exif: [UInt8]?, _ keepsProfiles: Bool
  ) -> [UInt8] {
    var kept = Array(bytes.prefix(8))
    var offset = 8
    while let length = bytes.bigEndian32(at: offset), let first = bytes.byte(at: offset + 4) {
      let end = min(offset + 12 + length, bytes.count)
      let kind = String(decoding: bytes[(offset + 4)..<min(offset + 8, end)], as: UTF8.self)
      // A capital begins the chunks without which there is no picture.
      if first & 0x20 == 0 || length <= pngKept[kind] ?? -1 || keepsProfiles && kind == "iCCP" {
        kept += bytes[offset..<end]
      } else if kind == "iCCP", end == offset + 12 + length,
        let profile = PictureColors.profile(iccp: offset + 8..<end - 4, of: bytes),
        case let cleaned = profile.withoutTexts, !cleaned.isEmpty
      {
        // The name is a single letter; the method is the only one there is.
        kept += pngChunk("iCCP", [0x69, 0, 0] + Inflation.packed(cleaned))
      }
      if kind == "IHDR", let exif { kept += pngChunk("eXIf", exif) }
      if kind == "IEND" { break }
      offset = end
    }
    return kept
  }

  private static func pngChunk(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    let checked = Array(kind.utf8) + content
    var checksum: UInt32 = .max
    for byte in checked {
      checksum ^= UInt32(byte)
      for _ in 0..<8 { checksum = checksum & 1 == 0 ? checksum >> 1 : checksum >> 1 ^ 0xEDB8_8320 }
    }
    return bigEndian(UInt32(content.count)) + checked + bigEndian(~checksum)
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }

  // MARK: GIF

  private static func gif(_ bytes: UnsafeRawBufferPointer, _ keepsProfiles: Bool) -> [UInt8] {
    var offset = 13 + GIFBlocks.paletteSize(bytes.byte(at: 10) ?? 0)
    var kept = Array(bytes.prefix(offset))
    while let introducer = bytes.byte(at: offset) {
      let start = offset
      let isImage = introducer == 0x2C
      guard isImage || introducer == 0x21 else {
        if introducer == 0x3B { kept.append(introducer) }
        break
      }
      let flags = isImage ? bytes.byte(at: offset + 9) ?? 0 : 0
      let header = isImage ? 10 + GIFBlocks.paletteSize(flags) + 1 : 2
      var blocks = GIFBlocks(bytes, at: offset + header)
      let isWhole = blocks.skipSubBlocks()
      offset = isWhole ? blocks.offset : bytes.count
      if isImage {
        kept += bytes[start..<min(offset, bytes.count)]
      } else if isWhole {
        let parts = keptBlocks(
          of: bytes[start + 1], GIFBlocks.subBlocks(of: bytes, at: start + header), keepsProfiles)
        if !parts.isEmpty {
          kept += bytes[start..<start + 2] + parts.flatMap { [UInt8($0.count)] + $0 } + [0]
        }
      }
    }
    return kept
  }

  /// Returns the blocks of an extension that are about how images are shown: time, repetition,
  /// color.
  private static func keptBlocks(
    of label: UInt8, _ blocks: [[UInt8]], _ keepsProfiles: Bool
  ) -> [[UInt8]] {
    switch (label, String(decoding: blocks.first ?? [], as: UTF8.self)) {
    case (0xF9, _): return blocks.filter { $0.count == 4 }.suffix(1)
    case (0xFF, "NETSCAPE2.0"), (0xFF, "ANIMEXTS1.0"):
      let counts = blocks.dropFirst().filter { $0.count >= 3 && $0[0] == 1 }.suffix(1)
      return [blocks[0]] + counts.map { Array($0.prefix(3)) }
    case (0xFF, "ICCRGBG1012") where keepsProfiles: return blocks
    case (0xFF, "ICCRGBG1012"):
      let profile = ICCProfile(blocks.dropFirst().flatMap(\.self))?.withoutTexts ?? []
      let parts = stride(from: 0, to: profile.count, by: 255).map {
        Array(profile[$0..<min($0 + 255, profile.count)])
      }
      return parts.isEmpty ? [] : [blocks[0]] + parts
    default: return []
    }
  }

  // MARK: WebP

  private static func webp(
    _ bytes: UnsafeRawBufferPointer, _ exif: [UInt8]?, _ keepsProfiles: Bool
  ) -> [UInt8] {
    let size = bytes.littleEndian32(at: 4) ?? 0
    var kept = Array(bytes.prefix(12))
    let limit = min(bytes.count, 8 + size)
    var profile: [UInt8] = []
    // The decoder reports faults of the file.
    if let place = (try? WebPStructure(of: bytes))?.profile {
      profile = Array(bytes[place])
      if !keepsProfiles { profile = ICCProfile(profile)?.withoutTexts ?? [] }
    }
    var offset = 12
    while let chunk = WebPChunk(at: offset, of: bytes, before: limit) {
      let end = min(chunk.end, limit)
      switch chunk.kind {
      case WebPChunk.extended where chunk.content.count >= 10:
        var content = Array(bytes[chunk.content].prefix(10))
        // The flags say whether a profile, EXIF and XMP follow.
        content[0] = content[0] & ~0x2C | (profile.isEmpty ? 0 : 0x20) | (exif == nil ? 0 : 8)
        kept += riffChunk("VP8X", content)
        if !profile.isEmpty { kept += riffChunk("ICCP", profile) }
      case WebPChunk.lossy, WebPChunk.lossless, WebPChunk.alpha: kept += bytes[offset..<end]
      case WebPChunk.animation: kept += riffChunk("ANIM", Array(bytes[chunk.content].prefix(6)))
      case WebPChunk.animationFrame:
        let content = frame(bytes, chunk.content)
        // A frame that is cut off says how long it was.
        let missing = (bytes.littleEndian32(at: offset + 4) ?? 0) - chunk.content.count
        kept += riffChunk("ANMF", content, count: missing > 0 ? content.count + missing : nil)
      default: break
      }
      offset = chunk.end
    }
    if let exif { kept += riffChunk("EXIF", exif) }
    // A file that is cut off says how long it was.
    let missing = max(0, 8 + size - bytes.count)
    let count = UInt32(clamping: kept.count - 8 + missing)
    kept.replaceSubrange(4..<8, with: bigEndian(count.byteSwapped))
    return kept
  }

  /// Returns the place of a frame and the chunks with its pixels.
  private static func frame(_ bytes: UnsafeRawBufferPointer, _ content: Range<Int>) -> [UInt8] {
    var kept = Array(bytes[content.prefix(16)])
    var offset = content.lowerBound + 16
    while let chunk = WebPChunk(at: offset, of: bytes, before: content.upperBound) {
      if [WebPChunk.alpha, WebPChunk.lossy, WebPChunk.lossless].contains(chunk.kind) {
        kept += bytes[offset..<min(chunk.end, content.upperBound)]
      }
      offset = chunk.end
    }
    return kept
  }

  /// Returns four letters, a size, the content, and a byte of padding after an odd size.
  ///
  /// - Parameter count: the size that it had before it was cut off; nil if it is whole.
  private static func riffChunk(_ kind: String, _ content: [UInt8], count: Int? = nil) -> [UInt8] {
    Array(kind.utf8) + bigEndian(UInt32(clamping: count ?? content.count).byteSwapped) + content
      + (count == nil && content.count % 2 == 1 ? [0] : [])
  }
}
