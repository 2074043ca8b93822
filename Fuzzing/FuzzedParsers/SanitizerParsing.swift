@testable internal import SystemSupport
@testable internal import TerminalKit

/// Texts on their way to the screen: harmless, and within their columns.
enum SanitizerParsing {
  static func parse(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    for limit in [1000, Int(input.first ?? 0)] {
      let clean = text.sanitized(upTo: limit)
      try require(clean.count <= limit, "at most \(limit) characters are kept")
      try checkHarmless(clean)
      let again = clean.sanitized(upTo: limit)
      try require(
        again.utf8.elementsEqual(clean.utf8), "\(scalars(clean)) becomes \(scalars(again))")
      try checkColumns(clean.drawable, Int(input.last ?? 0) % 40 + 2)
    }
  }

  private static func checkHarmless(_ text: String) throws {
    var marks = 0
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
        try require(false, "\(scalars(text)) has no control characters")
      case .format: try require(scalar == "\u{200D}", "\(scalars(text)) has no format characters")
      case .nonspacingMark, .spacingMark, .enclosingMark:
        // The selector of emoji is a mark too, but takes no space.
        if scalar.value != 0xFE0F { marks += 1 }
        try require(marks <= Sanitizer.marksPerBase, "\(scalars(text)) has four marks a base")
      default: marks = 0
      }
    }
  }

  private static func checkColumns(_ text: String, _ columns: Int) throws {
    try require(text.clipped(to: columns).columns <= columns, "clipped to \(columns)")
    try require(text.padded(to: columns).columns == columns, "padded to \(columns)")
    for line in text.wrapped(to: columns) where line.count > 1 {
      try require(line.columns <= columns, "\(scalars(line)) is within \(columns) columns")
    }
  }

  private static func scalars(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
