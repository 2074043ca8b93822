internal import SystemSupport
internal import PictureCodecs

/// The frames of an image that the terminal plays by itself.
///
/// The frames are sent one by one, each when it is first drawn, so that no write is long. The first
/// one is the image itself.
final class KittyAnimation: Sendable {
  private let image: KittyImage
  private let frames: [Animation<Bitmap>.Frame]
  private let loopCount: Int?
  private let readsFiles: Bool
  /// The number of frames that the terminal has.
  private let sent = Lock(0)

  /// - Parameter image: shows the first frame.
  init(
    _ image: KittyImage, frames: [Animation<Bitmap>.Frame], loopCount: Int?, readsFiles: Bool
  ) {
    self.image = image
    self.frames = frames
    self.loopCount = loopCount
    self.readsFiles = readsFiles
  }

  var isComplete: Bool { image.knownID != nil && sent.withLock(\.self) == frames.count }

  /// Calls `draw`, which sends the image if the terminal lacks it.
  ///
  /// Returns the image's id; nil if nothing is shown.
  private func imageID(into bytes: inout [UInt8], draw: (inout [UInt8]) -> Void) -> UInt32? {
    let isNew = image.knownID == nil
    draw(&bytes)
    guard let id = image.knownID else { return nil }
    if isNew {
      sent.withLock { $0 = 1 }
      image.command.append("a=a,i=\(id),r=1,z=\(gap(0)),q=2", to: &bytes)
    }
    return id
  }

  /// Stops at a frame, or at the next one that the terminal lacks, which is sent.
  func stop(at index: Int, into bytes: inout [UInt8], draw: (inout [UInt8]) -> Void) {
    guard let id = imageID(into: &bytes, draw: draw) else { return }
    let count = sent.withLock(\.self)
    if index >= count, count < frames.count {
      let pixels = KittyPixels(frames[count].picture, throughFile: readsFiles)
      image.command.transmitFrame(pixels, id: id, gap: gap(count), to: &bytes)
      sent.withLock { $0 = count + 1 }
    }
    image.command.append("a=a,i=\(id),s=1,c=\(min(index, count) + 1),q=2", to: &bytes)
  }

  func play(into bytes: inout [UInt8], draw: (inout [UInt8]) -> Void) {
    guard let id = imageID(into: &bytes, draw: draw), isComplete else { return }
    // 1 means without end, and n means n - 1 loops; one loop was shown while sending.
    image.command.append("a=a,i=\(id),s=3,v=\(loopCount ?? 1),q=2", to: &bytes)
  }

  /// The time for which a frame is shown, in milliseconds.
  private func gap(_ index: Int) -> Int {
    Int((frames[index].duration / .milliseconds(1)).rounded())
  }
}

/// One frame of an animation that the terminal plays, or all of them.
final class KittyFramePicture: PlayedPicture {
  private let still: any PreparedPicture
  private let animation: KittyAnimation
  /// The frame to stop at; nil plays.
  private let index: Int?

  var size: CellSize { still.size }
  var repair: PictureRepair { still.repair }
  var isComplete: Bool { animation.isComplete }

  var printed: [UInt8] {
    var bytes: [UInt8] = []
    draw(into: &bytes) { $0 += still.printed }
    return bytes
  }

  /// - Parameter still: shows the image of the animation.
  init(_ still: any PreparedPicture, of animation: KittyAnimation, index: Int?) {
    self.still = still
    self.animation = animation
    self.index = index
  }

  func draw(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    draw(into: &bytes) { still.draw(part, at: point, into: &$0) }
  }

  private func draw(into bytes: inout [UInt8], _ draw: (inout [UInt8]) -> Void) {
    if let index {
      animation.stop(at: index, into: &bytes, draw: draw)
    } else {
      animation.play(into: &bytes, draw: draw)
    }
  }

  func erase(_ part: CellRect, at point: CellPoint, into bytes: inout [UInt8]) {
    still.erase(part, at: point, into: &bytes)
  }

  // Its frames are counted as they are drawn, so it is not transmitted before.
  var layer: AnyObject? { still.layer }
  func wasCut() { still.wasCut() }
}
