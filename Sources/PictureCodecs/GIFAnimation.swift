/// Composes the images of a GIF one after the other.
enum GIFAnimation {
  /// Draws each image onto the canvas; returns how often the animation plays, nil for without end.
  ///
  /// The animation ends before a damaged image. Throws `CancellationError`, and a ``PictureError``
  /// if not even the first image can be read or the deadline has passed.
  ///
  /// - Parameter each: called after each image, with the time until the next one.
  static func compose(
    _ bytes: UnsafeRawBufferPointer, onto canvas: inout AnimationCanvas, limits: PictureLimits,
    deadline: DecodingDeadline, each: (Bitmap, _ milliseconds: Int) -> Void
  ) throws -> Int? {
    var reader = try GIFReader(bytes, deadline)
    repeat {
      try limits.check(reader.image.rect.size)
      guard try draw(reader, onto: &canvas, deadline) else { break }
      each(canvas.bitmap, reader.image.delay * 10)
    } while try reader.readNextImage(deadline)
    return reader.loopCount
  }

  private static func draw(
    _ reader: borrowing GIFReader, onto canvas: inout AnimationCanvas, _ deadline: DecodingDeadline
  ) throws -> Bool {
    let image = reader.image
    canvas.begin(image.rect, image.disposal)
    var row = [UInt8](repeating: 0, count: image.rect.size.width)
    // The first row and the step of each pass (GIF89a, appendix E).
    let passes = image.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    for (first, step) in passes {
      for line in stride(from: first, to: image.rect.size.height, by: step) {
        try deadline.check()
        guard row.withUnsafeMutableBufferPointer({ reader.read(into: $0) }) else { return false }
        row.withUnsafeBufferPointer {
          canvas.draw(
            $0, row: line, palette: image.palette, transparentIndex: image.transparentIndex)
        }
      }
    }
    return true
  }
}
