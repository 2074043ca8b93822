/// The combining characters that encode numbers in placeholders of kitty's graphics protocol.
///
/// The n-th encodes n: the characters of Unicode 6.0 of combining class 230 that are nonspacing
/// marks and take no part in compositions, in code point order
/// (https://sw.kovidgoyal.net/kitty/graphics-protocol/#unicode-placeholders). A test compares them
/// with Unicode's data.
enum RowColumnDiacritics {
  /// The number of encodable values: 0 to 296.
  package static var count: Int { all.count }

  static subscript(number: Int) -> Unicode.Scalar { all[number] }

  package static let all: [Unicode.Scalar] = runs.flatMap { first, count in
    (first..<first + UInt32(count)).map { Unicode.Scalar($0)! }
  }

  /// The first of each run of consecutive code points, and the run's length.
  private static let runs: [(UInt32, Int)] = [
    (0x305, 1), (0x30D, 2), (0x310, 1), (0x312, 1), (0x33D, 3), (0x346, 1), (0x34A, 3), (0x350, 3),
    (0x357, 1), (0x35B, 1), (0x363, 13), (0x483, 5), (0x592, 4), (0x597, 3), (0x59C, 6),
    (0x5A8, 2), (0x5AB, 2), (0x5AF, 1), (0x5C4, 1), (0x610, 8), (0x657, 5), (0x65D, 2), (0x6D6, 7),
    (0x6DF, 4), (0x6E4, 1), (0x6E7, 2), (0x6EB, 2), (0x730, 1), (0x732, 2), (0x735, 2), (0x73A, 1),
    (0x73D, 1), (0x73F, 3), (0x743, 1), (0x745, 1), (0x747, 1), (0x749, 2), (0x7EB, 7), (0x7F3, 1),
    (0x816, 4), (0x81B, 9), (0x825, 3), (0x829, 5), (0x951, 1), (0x953, 2), (0xF82, 2), (0xF86, 2),
    (0x135D, 3), (0x17DD, 1), (0x193A, 1), (0x1A17, 1), (0x1A75, 8), (0x1B6B, 1), (0x1B6D, 7),
    (0x1CD0, 3), (0x1CDA, 2), (0x1CE0, 1), (0x1DC0, 2), (0x1DC3, 7), (0x1DCB, 2), (0x1DD1, 22),
    (0x1DFE, 1), (0x20D0, 2), (0x20D4, 4), (0x20DB, 2), (0x20E1, 1), (0x20E7, 1), (0x20E9, 1),
    (0x20F0, 1), (0x2CEF, 3), (0x2DE0, 32), (0xA66F, 1), (0xA67C, 2), (0xA6F0, 2), (0xA8E0, 18),
    (0xAAB0, 1), (0xAAB2, 2), (0xAAB7, 2), (0xAABE, 2), (0xAAC1, 1), (0xFE20, 7), (0x10A0F, 1),
    (0x10A38, 1), (0x1D185, 5), (0x1D1AA, 4), (0x1D242, 3),
  ]
}
