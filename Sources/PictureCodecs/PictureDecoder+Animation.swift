package import FoundationEssentials

/// An animated picture, with its frames in whatever form they are shown.
package struct Animation<Picture: Sendable>: Sendable {
  /// A frame and the time until the next one.
  package struct Frame: Sendable {
    package let picture: Picture
    package internal(set) var duration: Duration
  }

  /// The frames in their order; at least two.
  package let frames: [Frame]

  /// The number of times the animation plays; nil means without end.
  package let loopCount: Int?

  package func map<Other: Sendable>(_ convert: (Picture) -> Other) -> Animation<Other> {
    Animation<Other>(
      frames: frames.map { .init(picture: convert($0.picture), duration: $0.duration) },
      loopCount: loopCount)
  }
}

extension PictureDecoder {
  /// Decodes and composes the frames of an animated GIF or WebP; nil if the picture is still.
  ///
  /// Each frame is as ``decode(_:covering:)`` would make a picture of that size. Of more than
  /// `count` frames, every second, third or nth is kept, and shown for as long as those left out.
  /// An animation that is damaged, or takes longer than `PictureLimits.animationTime`, has the
  /// frames up to there; fewer than two of them are no animation. A canvas of more than
  /// `PictureLimits.animatedPixels` is not played.
  ///
  /// Throws a ``PictureError`` for what is no picture, and `CancellationError`.
  ///
  /// Memory: two canvases and a frame of 4 bytes per pixel, and what `prepare` makes.
  ///
  /// - Parameters:
  ///   - count: the most frames to keep.
  ///   - prepare: converts a frame, on the decoder's own thread.
  package func frames<Picture: Sendable>(
    of data: Data, covering target: PixelSize, atMost count: Int,
    prepare: @Sendable (Bitmap) -> Picture
  ) async throws -> Animation<Picture>? {
    try limits.check(byteCount: data.count)
    let cost = try data.withUnsafeBytes { bytes in
      DecodingCost(ofFramesOf: try Self.header(of: bytes, limits))
    }
    try await budget.begin(cost.bytes)
    defer { budget.end(cost.bytes) }
    let deadline = DecodingDeadline(after: limits.animationTime, now: now)
    return try data.withUnsafeBytes {
      try Self.frames(
        of: $0, covering: target, atMost: count, limits: limits, deadline: deadline,
        prepare: prepare)
    }
  }

  /// Decodes on the calling thread; see ``frames(of:covering:atMost:prepare:)``.
  static func frames<Picture: Sendable>(
    of bytes: UnsafeRawBufferPointer, covering target: PixelSize, atMost count: Int,
    limits: PictureLimits, deadline: DecodingDeadline, prepare: (Bitmap) -> Picture
  ) throws -> Animation<Picture>? {
    let header = try header(of: bytes, limits)
    let total = frameCount(of: bytes, header.format)
    let size = header.orientation.applied(to: header.size)
    let most = min(count, limits.frames)
    guard total > 1, most > 1, size.width * size.height <= limits.animatedPixels
    else { return nil }
    let step = (total + most - 1) / most
    let factor = BoxReducer.factor(from: size, covering: header.orientation.applied(to: target))
    let (colors, _) = PictureColors.read(bytes, header.format)
    var (frames, index) = ([Animation<Picture>.Frame](), 0)
    func add(_ bitmap: Bitmap, milliseconds: Int) {
      // Shorter delays are mistakes, which browsers correct in the same way.
      let duration = Duration.milliseconds(milliseconds < 20 ? 100 : milliseconds)
      if index % step == 0 {
        var reduced = bitmap.reduced(byBoxesOf: factor, isOpaque: false)
        // Without conversion it looks like the still picture, which says why.
        try? reduced.convert(from: colors)
        let shown = reduced.oriented(header.orientation)
        frames.append(.init(picture: prepare(shown), duration: duration))
      } else {
        frames[frames.count - 1].duration += duration
      }
      index += 1
    }
    var canvas = AnimationCanvas(size)
    var loopCount: Int?
    do {
      loopCount =
        header.format == .gif
        ? try GIFAnimation.compose(
          bytes, onto: &canvas, limits: limits, deadline: deadline, each: add)
        : try WebPAnimation.compose(bytes, onto: &canvas, deadline: deadline, each: add)
    } catch is PictureError {
      // The rest of a damaged animation plays without end.
    }
    return frames.count > 1 ? Animation(frames: frames, loopCount: loopCount) : nil
  }

  private static func frameCount(
    of bytes: UnsafeRawBufferPointer, _ format: PictureFormat
  ) -> Int {
    switch format {
    case .gif: GIFBlocks.imageCount(of: bytes)
    case .webp: WebPAnimation.frameCount(of: bytes)
    default: 1
    }
  }
}
