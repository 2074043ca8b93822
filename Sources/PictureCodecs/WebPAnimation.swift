/// Composes the frames of an animated WebP one after the other (RFC 9649, 2.7.1).
///
/// As libwebpdemux does, but without its list of all frames, which a hostile file makes long.
enum WebPAnimation {
  /// Returns how many frames a file has, at least as far as its bytes go.
  ///
  /// - Complexity: O(chunks).
  static func frameCount(of bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    forEachChunk(of: bytes) { if $0.kind == WebPChunk.animationFrame { count += 1 } }
    return count
  }

  /// Draws each frame onto the canvas; returns how often the animation plays, nil for without end.
  ///
  /// The animation ends before an incomplete frame. Throws `CancellationError`, and a
  /// ``PictureError`` for a damaged frame or if the deadline has passed.
  ///
  /// - Parameter each: called after each frame, with the time until the next one.
  static func compose(
    _ bytes: UnsafeRawBufferPointer, onto canvas: inout AnimationCanvas,
    deadline: DecodingDeadline, each: (Bitmap, _ milliseconds: Int) -> Void
  ) throws -> Int? {
    var loopCount: Int?
    let size = canvas.bitmap.size
    try forEachChunk(of: bytes) { chunk in
      let start = chunk.content.lowerBound
      switch chunk.kind {
      case WebPChunk.animation:
        // A background color of 4 bytes, then the number; 0 means without end.
        let count = bytes.littleEndian16(at: start + 4) ?? 0
        loopCount = count == 0 ? nil : count
      case WebPChunk.animationFrame:
        try deadline.check()
        guard let frame = try WebPStructure.animationFrame(chunk, on: size, of: bytes),
          let milliseconds = bytes.littleEndian24(at: start + 12),
          let flags = bytes.byte(at: start + 15)
        else { throw PictureError(.incomplete) }
        let pixels = try WebPDecoder.pixels(of: frame, in: bytes, deadline: deadline)
        canvas.begin(frame.rect, flags & 1 == 1 ? .clear : .keep)
        let width = frame.rect.size.width * 4
        pixels.withUnsafeBufferPointer { pixels in
          for row in 0..<frame.rect.size.height {
            canvas.draw(
              .init(rebasing: pixels[(row * width)...].prefix(width)), row: row,
              blends: flags & 2 == 0)
          }
        }
        each(canvas.bitmap, milliseconds)
      default: break
      }
    }
    return loopCount
  }

  private static func forEachChunk<Failure: Error>(
    of bytes: UnsafeRawBufferPointer, _ visit: (WebPChunk) throws(Failure) -> Void
  ) throws(Failure) {
    guard let riffSize = bytes.littleEndian32(at: 4) else { return }
    let end = min(bytes.count, 8 + riffSize)
    var offset = 12
    while let chunk = WebPChunk(at: offset, of: bytes, before: end) {
      try visit(chunk)
      offset = chunk.end
    }
  }
}
