internal import CPNG

/// Decodes PNG with libpng, row by row, reducing as it reads.
enum PNGDecoder {
  /// Decodes the smallest whole-number reduction that covers the target.
  ///
  /// Memory holds one row, one row of sums and the result, or the whole picture if it is
  /// interlaced. If the bytes end early, missing rows are transparent and the picture is marked
  /// incomplete. Gamma and profiles are ignored; a palette index past the palette is black.
  ///
  /// Throws a ``PictureError``, and `CancellationError` between two rows.
  package static func decode(
    _ bytes: UnsafeRawBufferPointer, covering target: PixelSize, limits: PictureLimits,
    deadline: DecodingDeadline
  ) throws -> DecodedPicture {
    let reader = try PNGReader(bytes, limits)
    let factor = BoxReducer.factor(from: reader.size, covering: target)
    let (bitmap, isIncomplete) =
      reader.passes > 1
      ? try interlaced(reader, factor, deadline)
      : try sequential(reader, factor, deadline)
    return DecodedPicture(
      bitmap: bitmap, originalSize: reader.size, isIncomplete: isIncomplete)
  }

  private static func sequential(
    _ reader: borrowing PNGReader, _ factor: Int, _ deadline: DecodingDeadline
  ) throws -> (Bitmap, isIncomplete: Bool) {
    var reducer = BoxReducer(source: reader.size, factor: factor, isOpaque: reader.isOpaque)
    var row = [UInt8](repeating: 0, count: reader.size.width * 4)
    for line in 0..<reader.size.height {
      try deadline.check()
      let isWhole = try row.withUnsafeMutableBufferPointer { row in
        guard try reader.read(into: row.baseAddress!) else { return false }
        reducer.add(row.baseAddress!)
        return true
      }
      if !isWhole {
        guard line > 0 else { throw PictureError(.incomplete) }
        return (reducer.finish(), true)
      }
    }
    let isWhole = try reader.end()
    return (reducer.finish(), !isWhole)
  }

  private static func interlaced(
    _ reader: borrowing PNGReader, _ factor: Int, _ deadline: DecodingDeadline
  ) throws -> (Bitmap, isIncomplete: Bool) {
    let size = reader.size
    var whole = Bitmap(
      size: size, pixels: [UInt8](repeating: 0, count: size.width * size.height * 4))
    let isWhole = try whole.pixels.withUnsafeMutableBufferPointer { pixels in
      for pass in 0..<reader.passes {
        for line in 0..<size.height {
          try deadline.check()
          guard try reader.read(into: pixels.baseAddress! + line * size.width * 4) else {
            guard pass > 0 || line > 0 else { throw PictureError(.incomplete) }
            return false
          }
        }
      }
      return try reader.end()
    }
    return (whole.reduced(byBoxesOf: factor, isOpaque: reader.isOpaque && isWhole), !isWhole)
  }
}

/// An open PNG: the only code that calls libpng to read.
///
/// It borrows the bytes, which must outlive it.
struct PNGReader: ~Copyable {
  private let state: UnsafeMutablePointer<panda_png_read_state>

  package let size: PixelSize

  /// Whether every pixel's alpha is 255: the file has neither an alpha channel nor tRNS.
  package let isOpaque: Bool

  /// The number of times all rows must be read: 7 if interlaced, else once.
  let passes: Int

  /// Reads the header and rejects an oversized picture before libpng allocates a row.
  ///
  /// Throws a ``PictureError``.
  init(_ bytes: UnsafeRawBufferPointer, _ limits: PictureLimits) throws {
    try limits.check(PictureHeader(reading: bytes).size)
    let start = bytes.bindMemory(to: UInt8.self).baseAddress
    let side = UInt32(clamping: min(limits.side, Int(Int32.max)))
    guard let state = panda_png_read_open(start, bytes.count, side) else {
      throw PictureError(.damaged, detail: "libpng has no memory")
    }
    do {
      guard try Self.check(panda_png_read_header(state), state) else {
        throw PictureError(.incomplete)
      }
    } catch {
      panda_png_read_close(state)
      throw error
    }
    self.state = state
    size = PixelSize(width: Int(state.pointee.width), height: Int(state.pointee.height))
    isOpaque = state.pointee.is_opaque != 0
    passes = Int(state.pointee.passes)
  }

  deinit {
    panda_png_read_close(state)
  }

  /// Reads the next row of RGBA, `size.width * 4` bytes; false if the bytes end.
  ///
  /// If interlaced, the row must hold the result of the earlier passes.
  package func read(into row: UnsafeMutablePointer<UInt8>) throws -> Bool {
    try Self.check(panda_png_read_row(state, row), state)
  }

  /// Reads the data after the last row and its checksums; false if the bytes end before IEND.
  package func end() throws -> Bool {
    try Self.check(panda_png_read_end(state), state)
  }

  /// Converts the shim's result to true (done), false (the bytes end) or a ``PictureError``.
  private static func check(
    _ result: Int32, _ state: UnsafeMutablePointer<panda_png_read_state>
  ) throws -> Bool {
    switch Int(result) {
    case PANDA_PNG_READ_OK: return true
    case PANDA_PNG_READ_TRUNCATED: return false
    default:
      let message = String(cString: panda_png_read_message(state))
      throw PictureError(.damaged, detail: message)
    }
  }
}
