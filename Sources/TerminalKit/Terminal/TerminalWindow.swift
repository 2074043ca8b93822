internal import Glibc
package import PictureCodecs

/// The terminal's window as the kernel knows it (TIOCGWINSZ).
package struct TerminalWindow: Hashable, Sendable {
  /// The size in cells; the usual 80x24 where none is reported, as on a serial line.
  package let size: CellSize
  /// A cell's size in whole pixels; nil if unreported.
  package let cell: PixelSize?

  package init(of descriptor: Int32) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0
    else {
      (size, cell) = (CellSize(columns: 80, rows: 24), nil)
      return
    }
    size = CellSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    let pixels = PixelSize(
      width: Int(window.ws_xpixel / window.ws_col), height: Int(window.ws_ypixel / window.ws_row))
    cell = pixels.width > 0 && pixels.height > 0 ? pixels : nil
  }
}

extension PixelSize {
  /// The cell of a terminal that says nothing believable.
  package static let assumedCell = PixelSize(width: 8, height: 16)

  /// Returns a cell's size as it is to be believed; nil if it is unknown.
  ///
  /// OpenSSH for Windows says 640x480 of every window, whatever its cells. So the terminal's own
  /// answer wins unless both agree within a pixel, and without one only a plausible cell counts.
  ///
  /// - Parameters:
  ///   - window: the window's pixels by its cells.
  ///   - answered: the terminal's answer to `CSI 16 t`.
  package static func believedCell(window: PixelSize?, answered: PixelSize?) -> PixelSize? {
    let window = window.flatMap { $0.isPlausibleCell ? $0 : nil }
    guard let answered, answered.isPlausibleCell else { return window }
    guard let window else { return answered }
    return abs(window.width - answered.width) <= 1 && abs(window.height - answered.height) <= 1
      ? window : answered
  }

  private var isPlausibleCell: Bool {
    (4...64).contains(width) && (8...128).contains(height) && height >= width
      && height * 2 <= width * 7
  }
}
