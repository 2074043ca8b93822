extension PreparedPicture {
  /// What it draws, for one that is placed at the cursor.
  var printed: [UInt8] {
    var bytes: [UInt8] = []
    draw(CellRect(size), at: CellPoint(column: 0, row: 0), into: &bytes)
    return printed(bytes)
  }

  /// Returns bytes that draw the picture at the cursor and end below it.
  ///
  /// Terminals disagree on where an image leaves the cursor, and some scroll for an image that ends
  /// on the last row. So the lines are created first, one more than the picture has, and the cursor
  /// is moved back.
  package func printed(_ image: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<size.rows { bytes += "\n".utf8 }
    bytes += "\u{1B}[\(size.rows)A\u{1B}7".utf8
    bytes += image
    bytes += "\u{1B}8\u{1B}[\(size.rows)B".utf8
    return bytes
  }
}
