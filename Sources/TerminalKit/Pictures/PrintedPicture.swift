extension PreparedPicture {
  /// What draws the picture over the lines from the cursor on, and leaves the cursor at the start of
  /// the line below.
  ///
  /// Terminals disagree on where an image leaves the cursor, and some scroll for one that ends on
  /// the last row: so the lines are made first, one more than the picture has, and the cursor is put
  /// back.
  package func printed(_ image: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<size.rows { bytes += "\n".utf8 }
    bytes += "\u{1B}[\(size.rows)A\u{1B}7".utf8
    bytes += image
    bytes += "\u{1B}8\u{1B}[\(size.rows)B".utf8
    return bytes
  }
}
