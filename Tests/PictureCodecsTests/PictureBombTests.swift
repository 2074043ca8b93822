internal import CTurboJPEG
internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Pictures that are larger than they look")
struct PictureBombTests {
  /// Runs in a separate process, since it measures memory.
  @Test("are refused from the header, in less than 50 ms of work and 64 MB")
  func headers() async {
    await #expect(processExitsWith: .success) {
      let sides: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
      let bombs: [(String, [UInt8])] = [
        ("PNG", PNGWriter(width: 60_000, height: 60_000).header()),
        ("WebP", WebPWriter(width: 16_383, height: 16_383, picture: []).bytes()),
        ("WebP of 24 bits", WebPWriter(width: 1 << 24, height: 1 << 24, picture: []).bytes()),
        ("GIF", Array("GIF89a".utf8) + sides + [0, 0, 0]),
        ("GIF in a small screen", GIFWriter(images: [.init()]).bytes(firstImageSides: sides)),
        ("JPEG", PictureHeaderTests.jpeg(65_500, 65_500)),
        (
          "WebP of many frames",
          WebPWriter.file(
            WebPWriter.chunk("VP8X", [2, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 6))
              + [[UInt8]](repeating: WebPWriter.chunk("ANMF", []), count: 100_000).joined())
        ),
      ]
      let decoder = PictureDecoder(limits: .network)
      _ = await errorKind { _ = try await decoder.decode([1]) }
      for (name, bytes) in bombs {
        let memory = try PeakMemory()
        // Processor time rather than wall-clock time, and the best of several: the machine is
        // shared.
        var fastest = Int.max
        for _ in 0..<5 {
          var kind: PictureError.Kind?
          let start = clock()
          kind = await errorKind { _ = try await decoder.decode(bytes) }
          fastest = min(fastest, clock() - start)
          switch kind {
          case .tooManyPixels, .tooCostly: continue
          default: Issue.record("\(name): \(String(describing: kind))")
          }
        }
        let growth = try memory.growth()
        #expect(fastest < 50 * CLOCKS_PER_SEC / 1_000, "\(name): \(fastest)")
        #expect(growth < 64_000_000, "\(name): \(growth) bytes")
      }
    }
  }

  @Test("are decoded row by row where they are within the limits")
  func rows() async {
    await #expect(processExitsWith: .success) {
      // In memory as RGBA they would take 36 MB and more.
      let bombs: [(String, [UInt8], PixelSize)] = [
        ("PNG", PNGWriter.zeros(5_000, 4_000), PixelSize(width: 5_000, height: 4_000)),
        ("GIF", try fixture("bomb.gif"), PixelSize(width: 3_000, height: 3_000)),
        ("WebP", WebPWriter.plain(4_000, 3_000), PixelSize(width: 4_000, height: 3_000)),
        (
          "JPEG", try JPEGWriter(width: 4_000, height: 3_000).bytes(),
          PixelSize(width: 4_000, height: 3_000)
        ),
      ]
      let decoder = PictureDecoder(limits: PictureLimits(decodingTime: .seconds(60)))
      for (name, bytes, size) in bombs {
        #expect(bytes.count < 1_000_000, "\(name) has \(bytes.count) bytes")
        let memory = try PeakMemory()
        let target = PixelSize(width: 80, height: 60)
        let picture = try await decoder.decode(Data(bytes), covering: target)
        let growth = try memory.growth()
        #expect(picture.originalSize == size && !picture.isIncomplete, "\(name)")
        #expect(growth < 16_000_000, "\(name): \(growth) bytes")
      }
    }
  }

  @Test("are not inflated past their last row")
  func afterTheLastRow() async throws {
    // 8 x 8 pixels, followed by as many bytes as 50 KB can hold, which libpng would inflate and
    // discard.
    let bytes = PNGWriter.zeros(8, 8, surplus: 8_000_000)
    let kind = await errorKind { _ = try await PictureDecoder().decode(bytes) }
    #expect(kind == .damaged, "\(bytes.count)")
    // Some programs write a few.
    let careless = try await PictureDecoder().decode(PNGWriter.zeros(8, 8, surplus: 100_000))
    #expect(!careless.isIncomplete)
  }
}

extension GIFWriter {
  /// The whole file, with other sides in the first image's descriptor.
  fileprivate func bytes(firstImageSides sides: [UInt8]) -> [UInt8] {
    var bytes = bytes()
    let descriptor = bytes.firstIndex(of: 0x2C)!
    bytes.replaceSubrange((descriptor + 5)..<(descriptor + 9), with: sides)
    return bytes
  }
}

extension PNGWriter {
  /// A black grayscale picture that is deflated: 160 pixels a byte.
  ///
  /// - Parameter surplus: the number of bytes after the last row in the same stream.
  static func zeros(
    _ width: Int, _ height: Int, surplus: Int = 0, isInterlaced: Bool = false
  ) -> [UInt8] {
    // Interlaced, it has 15 rows for eight (PNG, 8.2).
    let count = (width + (isInterlaced ? 2 : 1)) * height + surplus
    return PNGWriter(width: width, height: height, color: .gray, isInterlaced: isInterlaced)
      .header()
      + chunk("IDAT", deflatedZeros(count)) + chunk("IEND", [])
  }

  /// A zlib stream of zeros, in one block of fixed codes (RFC 1951, 3.2.6).
  private static func deflatedZeros(_ count: Int) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var (bits, bitCount) = (0, 0)
    func put(_ code: Int, _ length: Int) {
      bits |= code << bitCount
      bitCount += length
      while bitCount >= 8 {
        stream.append(UInt8(truncatingIfNeeded: bits))
        bits >>= 8
        bitCount -= 8
      }
    }
    put(0b011, 3)  // the last block, of fixed codes
    // Codes are inserted from their most significant bit: here they are written in reverse.
    let literal = (0b0000_1100, 8)
    put(literal.0, literal.1)
    // 258 bytes from one byte back: the length is the code 11000101, the distance 00000.
    for _ in 0..<((count - 1) / 258) { put(0b0_0000_1010_0011, 13) }
    for _ in 0..<((count - 1) % 258) { put(literal.0, literal.1) }
    put(0, 7)  // the end of the block
    put(0, 7)  // up to a whole byte
    // Adler-32 of zeros.
    return stream + bigEndian((count % 65_521) << 16 | 1)
  }
}
