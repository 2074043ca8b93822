extension PictureOrientation {
  /// Reads the orientation of a PNG: of its eXIf chunk (PNG, 11.3.3.4), or of EXIF data that
  /// ImageMagick and others have written as text; nil if there is none.
  init?(png bytes: UnsafeRawBufferPointer) {
    for chunk in PNGChunks(bytes) {
      if chunk.kind == "eXIf" {
        self.init(exif: bytes, in: chunk.content)
        return
      }
      if let exif = Self.rawProfile(in: chunk, of: bytes) {
        let orientation = exif.withUnsafeBytes { PictureOrientation(exif: $0, in: 0..<$0.count) }
        guard let orientation else { return nil }
        self = orientation
        return
      }
    }
    return nil
  }

  /// The size up to which EXIF data as text are read: twice what a JPEG can hold.
  private static let rawProfileLimit = 1 << 18

  /// Returns the EXIF data in a text chunk named "Raw profile type exif"; nil if it is none.
  ///
  /// The text is a line break, a name, a number of bytes, each on a line, and hexadecimal digits.
  private static func rawProfile(
    in chunk: PNGChunks.Chunk, of bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let start = chunk.content.lowerBound
    guard ["tEXt", "zTXt"].contains(chunk.kind),
      let keyword = ["Raw profile type exif", "Raw profile type APP1"].first(where: {
        bytes.holds(Array($0.utf8) + [0], at: start)
      })
    else { return nil }
    let isPacked = chunk.kind == "zTXt"
    // The method of compression is always deflate.
    let content = start + keyword.utf8.count + (isPacked ? 2 : 1)
    guard content <= chunk.content.upperBound else { return nil }
    let stored = UnsafeRawBufferPointer(rebasing: bytes[content..<chunk.content.upperBound])
    let text = isPacked ? Inflation.bytes(of: stored, atMost: rawProfileLimit) : Array(stored)
    guard let text, text.count <= rawProfileLimit else { return nil }
    let lines = text.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3 else { return nil }
    let digits = lines[2].compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }

  /// Reads the orientation from EXIF data.
  ///
  /// The result is nil if the data is damaged or lacks an orientation: bad metadata must not make a
  /// picture unusable.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - range: the position of the EXIF data; any part past the end is ignored.
  /// - Complexity: O(entries of the first directory), of which there are at most 65,535.
  package init?(exif bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    guard let value = EXIFDirectory(bytes, in: range)?.number(0x0112) else { return nil }
    self.init(rawValue: value)
  }
}
