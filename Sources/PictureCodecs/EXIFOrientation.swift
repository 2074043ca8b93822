extension PictureOrientation {
  /// Reads the orientation from EXIF data.
  ///
  /// EXIF data is a TIFF file, of which only the first directory is read (CIPA DC-008, 4.6). The
  /// result is nil if the data is damaged or lacks an orientation: bad metadata must not make a
  /// picture unusable. Links between directories are not followed, so there can be no cycles.
  ///
  /// - Parameters:
  ///   - bytes: the file.
  ///   - range: the position of the EXIF data; any part past the end is ignored.
  /// - Complexity: O(entries of the first directory), of which there are at most 65,535.
  package init?(exif bytes: UnsafeRawBufferPointer, in range: Range<Int>) {
    let exif = UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)])
    // JPEG requires this prefix; some programs write it into WebP as well.
    let hasIntroduction = exif.holds("Exif") && exif.bigEndian16(at: 4) == 0
    let tiff = UnsafeRawBufferPointer(rebasing: exif[(hasIntroduction ? 6 : 0)...])
    let isLittleEndian = tiff.holds("II")
    guard isLittleEndian || tiff.holds("MM") else { return nil }
    func number16(_ offset: Int) -> Int? {
      isLittleEndian ? tiff.littleEndian16(at: offset) : tiff.bigEndian16(at: offset)
    }
    func number32(_ offset: Int) -> Int? {
      isLittleEndian ? tiff.littleEndian32(at: offset) : tiff.bigEndian32(at: offset)
    }
    guard number16(2) == 42, let directory = number32(4), let count = number16(directory) else {
      return nil
    }
    for index in 0..<count {
      let entry = directory + 2 + index * 12
      guard let tag = number16(entry) else { return nil }
      if tag == 0x0112 {
        // One SHORT (type 3), in the first half of the value.
        guard number16(entry + 2) == 3, number32(entry + 4) == 1, let value = number16(entry + 8)
        else { return nil }
        self.init(rawValue: value)
        return
      }
    }
    return nil
  }
}
