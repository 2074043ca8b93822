internal import CGIF

/// An open GIF, read image by image: the only code that calls giflib.
///
/// It borrows the bytes, which must outlive it. giflib's `DGifSlurp` would decode every image of an
/// animation into memory; this reads records up to an image, and then its rows.
struct GIFReader: ~Copyable {
  struct Image {
    /// The position on the screen; it may extend past it.
    package let rect: PixelRect

    /// Whether the rows come in four interlaced passes.
    let isInterlaced: Bool

    let transparentIndex: Int?

    /// RGBA of each of the 256 indices, in memory order.
    package let palette: [UInt32]

    /// The time until the next image, in hundredths of a second.
    let delay: Int

    /// The treatment of the image before the next one is drawn.
    let disposal: AnimationCanvas.Disposal
  }

  private struct Source {
    let bytes: UnsafeRawBufferPointer
    var position = 0
    var isExhausted = false
  }

  private let source: UnsafeMutablePointer<Source>
  private let file: UnsafeMutablePointer<GifFileType>

  /// The image whose rows come next.
  package private(set) var image: Image

  /// The number of times an animation plays; nil means without end.
  ///
  /// A file that says nothing plays once; the number is of repetitions.
  private(set) var loopCount: Int? = 1

  /// Whether the rest of the file is complete, from the first image on.
  ///
  /// The trailer may be missing, as some programs omit it.
  let hasRemainder: Bool

  /// Reads up to the pixels of the first image.
  ///
  /// Throws a ``PictureError``, and `CancellationError` between two blocks.
  init(_ bytes: UnsafeRawBufferPointer, _ deadline: DecodingDeadline) throws {
    let source = UnsafeMutablePointer<Source>.allocate(capacity: 1)
    source.initialize(to: Source(bytes: bytes))
    var code: Int32 = 0
    let file = DGifOpen(
      source,
      { file, into, count in
        guard let file, let into, count > 0 else { return 0 }
        return GIFReader.copy(
          from: file.pointee.UserData.assumingMemoryBound(to: Source.self), into, count)
      }, &code)
    guard let file else {
      defer { source.deallocate() }
      throw Self.error(code, source)
    }
    do {
      guard let first = try Self.nextImage(file, source, &loopCount, deadline) else {
        throw PictureError(.damaged, detail: "there is no image")
      }
      image = first
    } catch {
      DGifCloseFile(file, nil)
      source.deallocate()
      throw error
    }
    hasRemainder = Self.hasBlocks(bytes, from: source.pointee.position)
    self.source = source
    self.file = file
  }

  deinit {
    DGifCloseFile(file, nil)
    source.deallocate()
  }

  /// Reads the next row of indices in file order; false if that fails.
  ///
  /// The row must be as long as the image is wide.
  package func read(into row: UnsafeMutableBufferPointer<UInt8>) -> Bool {
    DGifGetLine(file, row.baseAddress, Int32(row.count)) == panda_gif_ok
  }

  /// Goes on to the next image once all rows of the last one have been read; false at the end.
  ///
  /// Throws a ``PictureError``, and `CancellationError` between two blocks.
  mutating func readNextImage(_ deadline: DecodingDeadline) throws -> Bool {
    guard let next = try Self.nextImage(file, source, &loopCount, deadline) else { return false }
    image = next
    return true
  }

  package var error: PictureError { Self.error(file.pointee.Error, source) }

  private static func error(
    _ code: Int32, _ source: UnsafeMutablePointer<Source>
  ) -> PictureError {
    if source.pointee.isExhausted { return PictureError(.incomplete) }
    let message = GifErrorString(code).map { String(cString: $0) }
    return PictureError(.damaged, detail: message ?? "giflib's error is \(code)")
  }

  /// Copies the next bytes for giflib: fewer than requested at the end.
  private static func copy(
    from source: UnsafeMutablePointer<Source>, _ into: UnsafeMutablePointer<UInt8>, _ count: Int32
  ) -> Int32 {
    let (start, available) = (
      source.pointee.position, source.pointee.bytes.count - source.pointee.position
    )
    let given = min(Int(count), available)
    if given < count { source.pointee.isExhausted = true }
    UnsafeMutableRawBufferPointer(start: into, count: given)
      .copyMemory(
        from: UnsafeRawBufferPointer(rebasing: source.pointee.bytes[start...].prefix(given)))
    source.pointee.position += given
    return Int32(given)
  }

  /// Reads the records up to an image; nil if there is no other one.
  private static func nextImage(
    _ file: UnsafeMutablePointer<GifFileType>, _ source: UnsafeMutablePointer<Source>,
    _ loopCount: inout Int?, _ deadline: DecodingDeadline
  ) throws -> Image? {
    func check(_ result: Int32) throws {
      guard result == panda_gif_ok else { throw error(file.pointee.Error, source) }
    }
    var control = GraphicsControlBlock()
    control.TransparentColor = panda_gif_no_transparent_color
    while true {
      var record = UNDEFINED_RECORD_TYPE
      try check(DGifGetRecordType(file, &record))
      switch record {
      case EXTENSION_RECORD_TYPE:
        var function: Int32 = 0
        var block: UnsafeMutablePointer<UInt8>?
        var isAboutLoops = false
        try check(DGifGetExtension(file, &function, &block))
        while let content = block {
          try deadline.check()
          // A block is its length followed by that many bytes.
          let bytes = UnsafeRawBufferPointer(start: content + 1, count: Int(content[0]))
          if function == panda_gif_graphics_control {
            _ = DGifExtensionToGCB(bytes.count, content + 1, &control)  // ignored if too short
          } else if function == panda_gif_application {
            if isAboutLoops, bytes.byte(at: 0) == 1, let count = bytes.littleEndian16(at: 1) {
              loopCount = count == 0 ? nil : count + 1
            }
            isAboutLoops = isAboutLoops || bytes.holds("NETSCAPE2.0") || bytes.holds("ANIMEXTS1.0")
          }
          try check(DGifGetExtensionNext(file, &block))
        }
      case IMAGE_DESC_RECORD_TYPE:
        try check(DGifGetImageDesc(file))
        return try image(file.pointee, control)
      default:
        return nil
      }
    }
  }

  /// The palette of a file that has none: black and white, followed by the grays.
  ///
  /// A decoder chooses it; the first two colors are recommended (GIF89a, 18).
  private static let standardPalette: [[UInt8]] = (0..<256).map { index in
    let gray = index == 1 ? 255 : UInt8(index)
    return [gray, gray, gray, 255]
  }

  private static func image(
    _ file: GifFileType, _ control: GraphicsControlBlock
  ) throws -> Image {
    let description = file.Image
    guard description.Width > 0, description.Height > 0 else {
      throw PictureError(.damaged, detail: "a side of the image is 0")
    }
    var palette = standardPalette
    if let colors = description.ColorMap ?? file.SColorMap {
      palette = [[UInt8]](repeating: [0, 0, 0, 255], count: 256)
      for index in 0..<min(256, Int(colors.pointee.ColorCount)) {
        let color = colors.pointee.Colors[index]
        palette[index] = [color.Red, color.Green, color.Blue, 255]
      }
    }
    let transparentIndex =
      control.TransparentColor == panda_gif_no_transparent_color
      ? nil : Int(control.TransparentColor) & 0xFF
    if let transparentIndex { palette[transparentIndex] = [0, 0, 0, 0] }
    let disposal: AnimationCanvas.Disposal =
      switch control.DisposalMode {
      case 2: .clear
      case 3: .restore
      default: .keep
      }
    return Image(
      rect: PixelRect(
        x: Int(description.Left), y: Int(description.Top),
        size: PixelSize(width: Int(description.Width), height: Int(description.Height))),
      isInterlaced: description.Interlace, transparentIndex: transparentIndex,
      palette: palette.map { color in
        color.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
      }, delay: Int(control.DelayTime), disposal: disposal)
  }

  /// Whether the sub-blocks of an image and all later blocks are present.
  private static func hasBlocks(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Bool {
    var blocks = GIFBlocks(bytes, at: start)
    return blocks.skipSubBlocks() && blocks.skipToEnd()
  }
}
