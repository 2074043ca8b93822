internal import PictureCodecs

final class KittyPlaceholderPicture: KittyPicture {
  static let placeholder = Array("\u{10EEEE}".utf8)

  let size: CellSize
  let repair = PictureRepair.rows
  let image: KittyImage
  private let repeats: Bool

  init(size: CellSize, image: KittyImage, repeats: Bool) {
    self.size = size
    self.image = image
    self.repeats = repeats
  }

  /// The keys of the placement that the cells refer to.
  private var virtual: String { "U=1,c=\(size.columns),r=\(size.rows)" }

  func transmit(into bytes: inout [UInt8]) { _ = image.id(placement: virtual, into: &bytes) }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    // Rows and columns beyond the number of diacritics cannot be encoded.
    let part = part.clamped(to: RowColumnDiacritics.count)
    guard !part.isEmpty, let id = image.id(placement: virtual, into: &bytes) else { return }
    let high = RowColumnDiacritics[Int(id >> 24)]
    for row in part.rowRange {
      bytes.appendMove(to: CellPoint(column: point.column, row: point.row + row - part.row))
      bytes.appendColor(of: id)
      drawRow(RowColumnDiacritics[row], high, part.columnRange, into: &bytes)
    }
    bytes += "\u{1B}[39m".utf8
  }

  /// The lines of placeholders; the image stays with the terminal.
  var printed: [UInt8] {
    var bytes: [UInt8] = []
    let part = CellRect(size).clamped(to: RowColumnDiacritics.count)
    guard let id = image.id(placement: virtual, into: &bytes) else { return [] }
    for row in part.rowRange {
      bytes.appendColor(of: id)
      drawRow(
        RowColumnDiacritics[row], RowColumnDiacritics[Int(id >> 24)], part.columnRange,
        into: &bytes)
      bytes += "\u{1B}[39m\n".utf8
    }
    return bytes
  }

  private func drawRow(
    _ row: Unicode.Scalar, _ high: Unicode.Scalar, _ columns: Range<Int>,
    into bytes: inout [UInt8]
  ) {
    for column in columns {
      bytes += Self.placeholder
      // A bare placeholder continues the one to its left. tmux may draw a cell without its left
      // neighbor (under a menu, for example), so there each cell encodes its position.
      if column == columns.lowerBound || image.command.route == .tmux {
        for mark in [row, RowColumnDiacritics[column], high] { bytes += UTF8.encode(mark)! }
      } else if repeats, columns.upperBound - column > 2 {
        bytes += "\u{1B}[\(columns.upperBound - column - 1)b".utf8
        return
      }
    }
  }
}

extension [UInt8] {
  /// Appends the foreground color that encodes an image's id.
  fileprivate mutating func appendColor(of id: UInt32) {
    self += "\u{1B}[38;5;\(id & 0xFF)m".utf8
  }
}
