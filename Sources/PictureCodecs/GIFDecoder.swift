internal import CGIF

/// Decodes the first image of a GIF with giflib, row by row, reducing as it reads.
enum GIFDecoder {
  /// Decodes the smallest whole-number reduction that covers the target.
  ///
  /// Memory holds one row, one row of sums and the result, plus one byte per pixel for an
  /// interlaced picture. The screen outside the image is transparent, and so are rows missing
  /// because the bytes end early or are damaged; the picture is then marked incomplete. Missing
  /// rows of an interlaced picture repeat the row above. A palette index past the palette is black.
  ///
  /// Throws a ``PictureError``, and `CancellationError` between two rows.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, covering target: PixelSize, limits: PictureLimits,
    deadline: DecodingDeadline
  ) throws -> DecodedPicture {
    let screen = try PictureHeader(reading: bytes).size
    try limits.check(screen)
    let reader = try GIFReader(bytes, deadline)
    let image = reader.image
    // A small screen may hold a large image, which must be read even where it is not visible.
    try limits.check(image.rect.size)
    guard image.rect.x < screen.width, image.rect.y < screen.height else {
      throw PictureError(.damaged, detail: "the first image lies outside the screen")
    }
    var canvas = GIFCanvas(
      screen: screen, image: image, factor: BoxReducer.factor(from: screen, covering: target))
    let isComplete =
      image.isInterlaced
      ? try readInterlaced(reader, into: &canvas, deadline)
      : try readInOrder(reader, into: &canvas, deadline)
    return DecodedPicture(
      bitmap: canvas.finish(), originalSize: screen,
      isIncomplete: !isComplete || !reader.hasRemainder)
  }

  private static func readInOrder(
    _ reader: borrowing GIFReader, into canvas: inout GIFCanvas, _ deadline: DecodingDeadline
  ) throws -> Bool {
    let rect = reader.image.rect
    var row = [UInt8](repeating: 0, count: rect.size.width)
    canvas.addTransparentRows(rect.y)
    for line in 0..<rect.size.height {
      try deadline.check()
      guard row.withUnsafeMutableBufferPointer({ reader.read(into: $0) }) else {
        guard line > 0 else { throw reader.error }
        return false
      }
      row.withUnsafeBufferPointer { canvas.add($0) }
    }
    canvas.addTransparentRows(.max)
    return true
  }

  private static func readInterlaced(
    _ reader: borrowing GIFReader, into canvas: inout GIFCanvas, _ deadline: DecodingDeadline
  ) throws -> Bool {
    let (rect, size) = (reader.image.rect, reader.image.rect.size)
    var whole = [UInt8](repeating: 0, count: size.width * size.height)
    var isRead = [Bool](repeating: false, count: size.height)
    func readPasses() throws -> Bool {
      // The first row and the step of each pass (GIF89a, appendix E).
      for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
        for line in stride(from: first, to: size.height, by: step) {
          try deadline.check()
          let isWhole = whole.withUnsafeMutableBufferPointer {
            reader.read(into: .init(rebasing: $0[(line * size.width)...].prefix(size.width)))
          }
          guard isWhole else { return false }
          isRead[line] = true
        }
      }
      return true
    }
    let isComplete = try readPasses()
    guard isRead[0] else { throw reader.error }
    canvas.addTransparentRows(rect.y)
    var shown = 0
    for line in 0..<size.height {
      if isRead[line] { shown = line }
      whole.withUnsafeBufferPointer {
        canvas.add(.init(rebasing: $0[(shown * size.width)...].prefix(size.width)))
      }
    }
    canvas.addTransparentRows(.max)
    return isComplete
  }
}

/// The screen of a GIF, filled with the rows of its first image and reduced.
private struct GIFCanvas {
  private let image: GIFReader.Image
  private let columns: Range<Int>
  private let height: Int
  private var rowsDone = 0
  /// RGBA; transparent outside the image.
  private var row: [UInt8]
  private let transparentRow: [UInt8]
  private var reducer: BoxReducer

  init(screen: PixelSize, image: GIFReader.Image, factor: Int) {
    self.image = image
    columns = image.rect.x..<min(image.rect.x + image.rect.size.width, screen.width)
    height = screen.height
    row = [UInt8](repeating: 0, count: screen.width * 4)
    transparentRow = row
    let covers =
      columns.count == screen.width && image.rect.y == 0 && image.rect.size.height >= height
    reducer = BoxReducer(
      source: screen, factor: factor, isOpaque: covers && image.transparentIndex == nil)
  }

  /// Adds transparent rows, as many as there is room for.
  mutating func addTransparentRows(_ count: Int) {
    for _ in 0..<min(count, height - rowsDone) {
      transparentRow.withUnsafeBufferPointer { reducer.add($0.baseAddress!) }
      rowsDone += 1
    }
  }

  /// Adds the next row of the image; one below the screen is ignored.
  mutating func add(_ indices: UnsafeBufferPointer<UInt8>) {
    guard rowsDone < height else { return }
    let (columns, palette) = (columns, image.palette)
    row.withUnsafeMutableBytes { row in
      palette.withUnsafeBufferPointer { palette in
        for column in columns {
          row.storeBytes(
            of: palette[Int(indices[column &- columns.lowerBound])], toByteOffset: column &* 4,
            as: UInt32.self)
        }
      }
    }
    row.withUnsafeBufferPointer { reducer.add($0.baseAddress!) }
    rowsDone += 1
  }

  /// Finishes the picture; missing rows are transparent.
  consuming func finish() -> Bitmap {
    reducer.finish()
  }
}
