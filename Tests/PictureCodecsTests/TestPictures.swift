internal import CTurboJPEG
internal import Foundation
internal import Testing

@testable import PictureCodecs

/// RGBA of the four quadrants of a test picture: red and green above blue and white.
let quadrants: [[UInt8]] = [
  [255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255, 255, 255, 255],
]

/// Which quadrant a pixel is in: 0 and 1 above 2 and 3.
func quadrant(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Int {
  (x * 2 >= width ? 1 : 0) + (y * 2 >= height ? 2 : 0)
}

/// How a test JPEG is to be written.
struct JPEGWriter {
  var width = 32
  var height = 32
  var subsampling = panda_tj_sampling_420
  var flags: Int32 = 0

  /// The whole file, compressed by TurboJPEG.
  func bytes() throws -> [UInt8] {
    let rows = [0, height - 1].map { y in
      (0..<width).flatMap { quadrants[quadrant($0, y, width, height)] }
    }
    var pixels: [UInt8] = []
    for y in 0..<height { pixels += rows[quadrant(0, y, width, height) / 2] }
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      handle, pixels, Int32(width), 0, Int32(height), panda_tj_pixels_rgba, &output, &count,
      subsampling, 90, flags)
    defer { tjFree(output) }
    try #require(result == 0)
    return Array(UnsafeBufferPointer(start: output, count: Int(count)))
  }
}

/// The bytes of a file in Fixtures.
func fixture(_ name: String) throws -> [UInt8] {
  let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
  return Array(try Data(contentsOf: folder.appendingPathComponent(name)))
}

extension PictureDecoder {
  /// Decodes bytes at their full size.
  func decode(_ bytes: [UInt8]) async throws -> DecodedPicture {
    try await decode(Data(bytes), covering: PixelSize(width: 20_000, height: 20_000))
  }
}

extension Bitmap {
  /// RGBA of a pixel.
  func pixel(_ x: Int, _ y: Int) -> [UInt8] {
    let start = (y * size.width + x) * 4
    return Array(pixels[start..<(start + 4)])
  }

  /// The pixels in the middle of the four quadrants.
  var quadrantMiddles: [[UInt8]] {
    [(1, 1), (3, 1), (1, 3), (3, 3)].map { x, y in
      pixel(size.width * x / 4, size.height * y / 4)
    }
  }

  /// Whether the middles of the quadrants have these colors, each channel within a tolerance.
  func shows(_ expected: [[UInt8]] = quadrants, within tolerance: Int = 0) -> Bool {
    zip(quadrantMiddles.joined(), expected.joined()).allSatisfy { own, wanted in
      abs(Int(own) - Int(wanted)) <= tolerance
    }
  }
}

/// The kind of the ``PictureError`` that an operation throws.
func errorKind(_ operation: () async throws -> Void) async -> PictureError.Kind? {
  do {
    try await operation()
    return nil
  } catch {
    return (error as? PictureError)?.kind
  }
}
