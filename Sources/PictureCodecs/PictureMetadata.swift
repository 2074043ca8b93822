package import FoundationEssentials

/// Removes what picture files say beside the picture, such as place, camera and owner.
///
/// A list of what stays, so that what no one has thought of goes: pixels, orientation, color and
/// animation stay, and what follows the picture's end goes. The pixels are not touched. Of a HEIC
/// or AVIF the notes become zeros.
package enum PictureMetadata {
  /// Returns the file without metadata, or as it is if it has none.
  ///
  /// - Returns: nil if the result would not be the same picture, as the file is damaged.
  /// - Complexity: O(n).
  package static func stripped(_ data: Data) -> Data? {
    data.withUnsafeBytes { bytes in
      guard let header = try? PictureHeader(reading: bytes) else { return nil }  // damaged
      // Written anew, with nothing else; nil if it is the usual one.
      let exif = header.orientation == .topLeft ? nil : exif(header.orientation)
      let kept: [UInt8]
      switch header.format {
      case .jpeg: kept = jpeg(bytes, exif)
      case .png: kept = png(bytes, exif)
      case .gif: kept = gif(bytes)
      case .webp: kept = webp(bytes, exif)
      case .heic, .avif:
        // Damaged, or with tracks.
        guard let stripped = try? HEIFStripper.strip(bytes, header.format) else { return nil }
        kept = stripped
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

  private static func jpeg(_ bytes: UnsafeRawBufferPointer, _ exif: [UInt8]?) -> [UInt8] {
    var kept: [UInt8] = [0xFF, 0xD8]
    if let exif {
      let content = Array("Exif\0\0".utf8) + exif
      kept += [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
    }
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
        if isKept(marker, at: offset + 4, of: bytes) { kept += bytes[offset..<end] }
        offset = end
      }
    }
    return kept
  }

  /// Whether a segment is the frame, a table, a scan, a profile, or says how colors are stored.
  private static func isKept(
    _ marker: UInt8, at offset: Int, of bytes: UnsafeRawBufferPointer
  ) -> Bool {
    switch marker {
    case 0xC0...0xCF, 0xDA...0xDF: true
    case 0xE0: bytes.holds("JFIF\0", at: offset)
    case 0xE2: bytes.holds("ICC_PROFILE\0", at: offset)
    case 0xEE: bytes.holds("Adobe", at: offset)
    default: false
    }
  }

  // MARK: PNG

  private static let pngKept: Set<String> = [
    "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "pHYs",
    "acTL", "fcTL", "fdAT",
  ]

  private static func png(_ bytes: UnsafeRawBufferPointer, _ exif: [UInt8]?) -> [UInt8] {
    var kept = Array(bytes.prefix(8))
    var offset = 8
    while let length = bytes.bigEndian32(at: offset), let first = bytes.byte(at: offset + 4) {
      let end = min(offset + 12 + length, bytes.count)
      let kind = String(decoding: bytes[(offset + 4)..<min(offset + 8, end)], as: UTF8.self)
      // A capital begins the chunks without which there is no picture.
      if first & 0x20 == 0 || pngKept.contains(kind) { kept += bytes[offset..<end] }
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

  private static func gif(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
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
      if isImage || isWhole && isKept(extensionAt: start, of: bytes) {
        kept += bytes[start..<min(offset, bytes.count)]
      }
    }
    return kept
  }

  /// Whether an extension is about how an image is shown: time, repetition, color.
  private static func isKept(extensionAt offset: Int, of bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes.byte(at: offset + 1) {
    case 0xF9: true
    case 0xFF:
      bytes.holds("NETSCAPE2.0", at: offset + 3) || bytes.holds("ANIMEXTS1.0", at: offset + 3)
        || bytes.holds("ICCRGBG1012", at: offset + 3)
    default: false
    }
  }

  // MARK: WebP

  private static func webp(_ bytes: UnsafeRawBufferPointer, _ exif: [UInt8]?) -> [UInt8] {
    var size = bytes.littleEndian32(at: 4) ?? 0
    var kept = Array(bytes.prefix(12))
    let limit = min(bytes.count, 8 + size)
    var offset = 12
    while let chunk = WebPChunk(at: offset, of: bytes, before: limit) {
      let end = min(chunk.end, limit)
      switch chunk.kind {
      case WebPChunk.extended where chunk.isWhole && !chunk.content.isEmpty:
        kept += bytes[offset..<end]
        // The flags say whether EXIF and XMP follow.
        kept[kept.count - (end - offset) + 8] &= ~0x0C
        if exif != nil { kept[kept.count - (end - offset) + 8] |= 0x08 }
      case WebPChunk.lossy, WebPChunk.lossless, WebPChunk.alpha, WebPChunk.animation,
        WebPChunk.animationFrame, WebPChunk.profile:
        kept += bytes[offset..<end]
      default: size -= end - offset
      }
      offset = chunk.end
    }
    if let exif {
      kept += Array("EXIF".utf8) + bigEndian(UInt32(exif.count).byteSwapped) + exif
      size += 8 + exif.count
    }
    kept.replaceSubrange(4..<8, with: bigEndian(UInt32(clamping: size).byteSwapped))
    return kept
  }
}
