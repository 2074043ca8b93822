/// The first directory of EXIF data.
///
/// EXIF data is a TIFF file, of which only the first directory is read (CIPA DC-008, 4.6). Links
/// between directories are not followed, so there can be no cycles.
struct EXIFDirectory {
  private let tiff: UnsafeRawBufferPointer
  private let isLittleEndian: Bool
  /// The offset of the first entry, and the number of entries.
  private var entries: (offset: Int, count: Int)

  /// Opens EXIF data; nil if they are damaged.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - range: the position of the EXIF data; any part past the end is ignored.
  init?(_ bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    let exif = UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
    // JPEG requires this prefix; some programs write it into WebP as well.
    let hasIntroduction = exif.holds("Exif") && exif.bigEndian16(at: 4) == 0
    tiff = UnsafeRawBufferPointer(rebasing: exif[(hasIntroduction ? 6 : 0)...])
    isLittleEndian = tiff.holds("II")
    entries = (0, 0)
    guard isLittleEndian || tiff.holds("MM"), number16(2) == 42, let offset = number32(4),
      let count = number16(offset)
    else { return nil }
    entries = (offset + 2, count)
  }

  /// Returns the one number of an entry, a SHORT or, as some write it, a LONG; nil for none.
  ///
  /// - Complexity: O(entries), of which there are at most 65,535.
  func number(_ tag: Int) -> Int? {
    guard let entry = entry(tag), number32(entry + 4) == 1 else { return nil }
    // A SHORT is in the first half of the value.
    return switch number16(entry + 2) {
    case 3: number16(entry + 8)
    case 4: number32(entry + 8)
    default: nil
    }
  }

  /// Returns the text of an entry, without the zero at its end; nil for none.
  ///
  /// - Complexity: O(entries + length).
  func text(_ tag: Int) -> String? {
    guard let entry = entry(tag), [2, 129].contains(number16(entry + 2) ?? 0),
      let count = number32(entry + 4), let start = count > 4 ? number32(entry + 8) : entry + 8,
      start + count <= tiff.count
    else { return nil }
    return String(foreign: tiff[start..<start + count].prefix { $0 != 0 })
  }

  private func entry(_ tag: Int) -> Int? {
    for index in 0..<entries.count {
      let entry = entries.offset + index * 12
      guard let own = number16(entry) else { return nil }
      if own == tag { return entry }
    }
    return nil
  }

  private func number16(_ offset: Int) -> Int? {
    isLittleEndian ? tiff.littleEndian16(at: offset) : tiff.bigEndian16(at: offset)
  }

  private func number32(_ offset: Int) -> Int? {
    isLittleEndian ? tiff.littleEndian32(at: offset) : tiff.bigEndian32(at: offset)
  }
}

extension String {
  /// The characters of 0x80 to 0x9F in Windows-1252; a byte that it leaves out is itself.
  private static let windows = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

  /// Decodes text of an unknown encoding: UTF-8, or else Windows-1252, which any bytes are.
  init(foreign bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      self = text
    } else {
      self.init(
        String.UnicodeScalarView(
          bytes.map {
            (0x80...0x9F).contains($0) ? Self.windows[Int($0) - 0x80] : UnicodeScalar($0)
          }))
    }
  }
}
