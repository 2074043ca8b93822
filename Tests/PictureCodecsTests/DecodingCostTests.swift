internal import CTurboJPEG
internal import Foundation
internal import PandaTestSupport
internal import Testing

@testable import PictureCodecs

@Suite("The estimate of memory")
struct DecodingCostTests {
  /// A picture, and the sizes that it is decoded at.
  private typealias Row = (name: String, bytes: [UInt8], sides: [Int])

  private static func cost(_ bytes: [UInt8], covering side: Int) throws -> Int {
    try bytes.withUnsafeBytes { bytes in
      try DecodingCost(
        of: bytes, PictureHeader(reading: bytes), covering: PixelSize(width: side, height: side)
      ).bytes
    }
  }

  /// Decodes pictures in this process, and compares what that takes with the estimate.
  private static func measure(_ rows: [Row]) async throws {
    PeakMemory.prepare()
    let decoder = PictureDecoder()
    // Loads the library.
    for row in rows.prefix(1) { _ = try await decoder.decode(row.bytes) }
    for (name, bytes, sides) in rows {
      for side in sides {
        let data = Data(bytes)
        let memory = try PeakMemory()
        let picture = try await decoder.decode(data, covering: PixelSize(width: side, height: side))
        let growth = try memory.growth()
        let estimate = try cost(bytes, covering: side)
        #expect(!picture.isIncomplete)
        // What decoders take for each of many threads was not measured.
        let threads = 300_000 * Double(ProcessInfo.processInfo.activeProcessorCount)
        #expect(
          growth <= estimate && Double(estimate) <= Double(growth) * 1.2 + threads,
          "\(name) at \(side): \(estimate) bytes estimated, \(growth) taken")
      }
    }
  }

  // Each runs in a separate process, since it measures memory.

  @Test("fault 106: of a JPEG it is never below what is taken, and at most a fifth above")
  func jpeg() async {
    await #expect(processExitsWith: .success) {
      var writer = JPEGWriter(width: 4_000, height: 3_000)
      let baseline = try writer.bytes()
      writer.flags = panda_tj_progressive
      let progressive = try writer.bytes()
      writer.subsampling = panda_tj_sampling_444
      try await Self.measure([
        ("baseline", baseline, [3_000, 1_200]), ("progressive", progressive, [3_000, 200]),
        ("progressive 4:4:4", try writer.bytes(), [200]),
        ("turned", EXIFWriter(6).inserted(intoJPEG: baseline), [3_000]),
      ])
    }
  }

  @Test("fault 106: of a PNG")
  func png() async {
    await #expect(processExitsWith: .success) {
      try await Self.measure([
        ("by rows", PNGWriter.zeros(4_000, 3_000), [3_000]),
        ("interlaced", PNGWriter.zeros(4_000, 3_000, isInterlaced: true), [3_000, 200]),
      ])
    }
  }

  @Test("fault 106: of a GIF")
  func gif() async {
    await #expect(processExitsWith: .success) {
      let plain = try fixture("bomb.gif")
      var interlaced = plain
      interlaced[try #require(interlaced.firstIndex(of: 0x2C)) + 9] |= 0x40
      try await Self.measure([
        ("by rows", plain, [3_000]), ("interlaced", interlaced, [3_000, 200]),
      ])
    }
  }

  @Test("fault 106: of a WebP")
  func webp() async {
    await #expect(processExitsWith: .success) {
      // A few colors would take less.
      var random = SplitMix64(seed: 1)
      let noise = (0..<60_000).map { _ in UInt8.random(in: 0...255, using: &random) }
      var pixels: [UInt8] = []
      for _ in 0..<400 { pixels += noise }
      let bitmap = Bitmap(size: PixelSize(width: 3_000, height: 2_000), pixels: pixels)
      try await Self.measure([
        ("lossy", WebPWriter.plain(3_000, 2_000), [2_000]),
        ("lossless", WebPWriter.lossless(bitmap), [2_000, 200]),
        ("transparent", WebPWriter.lossy(bitmap, quality: 10), [2_000, 200]),
      ])
    }
  }

  @Test(
    "fault 106: of a HEIC, by chroma and depth, and with transparency",
    .enabled("libheif is not installed") { HEIFDecodingTests.canDecode })
  func heic() async {
    await #expect(processExitsWith: .success) { try await Self.measureFixtures("heic") }
  }

  @Test(
    "fault 106: of an AVIF, also in tiles",
    .enabled("libheif is not installed") { HEIFDecodingTests.canDecode })
  func avif() async {
    await #expect(processExitsWith: .success) { try await Self.measureFixtures("avif") }
  }

  private static func measureFixtures(_ kind: String) async throws {
    let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/costs")
    try await measure(
      names.sorted().filter { $0.hasSuffix(kind) }.map {
        ($0, try fixture("costs/\($0)"), $0.hasPrefix("420-8.") ? [500, 1_536] : [500])
      })
  }

  @Test("What takes more than it may is refused, by what its header says")
  func limits() async throws {
    var jpeg = JPEGWriter(width: 64, height: 64)
    jpeg.flags = panda_tj_progressive
    let rows: [(String, [UInt8])] = [
      ("JPEG", try jpeg.bytes()), ("PNG", PNGWriter.zeros(64, 64, isInterlaced: true)),
      ("GIF", GIFWriter(images: [.init(isInterlaced: true)]).bytes()),
      ("WebP", try fixture("lossless-alpha.webp")), ("HEIC", try fixture("quadrants.heic")),
    ]
    for (name, bytes) in rows {
      let cost = try Self.cost(bytes, covering: 1)
      let header = try PictureDecoder.header(of: Data(bytes))
      let decoder = PictureDecoder(limits: PictureLimits(memory: cost - 1))
      let kind = await errorKind { _ = try await decoder.decode(bytes) }
      #expect(kind == .tooCostly(header.format, header.size), "\(name)")
      let allowed = PictureDecoder(limits: PictureLimits(memory: cost))
      #expect(await errorKind { _ = try await allowed.decode(bytes) } == nil, "\(name)")
    }
  }
}
