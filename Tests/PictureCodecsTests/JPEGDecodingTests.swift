internal import CTurboJPEG
internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Decoding JPEG")
struct JPEGDecodingTests {
  private let decoder = PictureDecoder()

  @Test(
    "Baseline and progressive, with every subsampling, have the right colors",
    arguments: [
      panda_tj_sampling_444, panda_tj_sampling_422, panda_tj_sampling_420, panda_tj_sampling_440,
      panda_tj_sampling_411,
    ],
    [0, panda_tj_progressive])
  func colors(subsampling: Int32, flags: Int32) async throws {
    let bytes = try JPEGWriter(subsampling: subsampling, flags: flags).bytes()
    let picture = try await decoder.decode(bytes)
    #expect(picture.originalSize == PixelSize(width: 32, height: 32))
    #expect(picture.bitmap.size == picture.originalSize)
    #expect(!picture.isIncomplete)
    #expect(picture.bitmap.shows(within: 6))
  }

  @Test("Gray has three equal channels")
  func gray() async throws {
    let picture = try await decoder.decode(
      try JPEGWriter(subsampling: panda_tj_sampling_gray).bytes())
    // ITU-R BT.601 luma of red, green, blue and white.
    #expect(picture.bitmap.shows([76, 150, 29, 255].map { [$0, $0, $0, 255] }, within: 6))
    #expect(!picture.isIncomplete)
  }

  @Test(
    "Pictures from cameras and for printing have the right colors",
    arguments: [
      "cmyk-adobe.jpg", "cmyk-plain.jpg", "ycck.jpg", "arithmetic.jpg",
      "arithmetic-progressive.jpg", "rgb.jpg", "odd-sampling.jpg", "restarts.jpg",
    ])
  func fixtures(name: String) async throws {
    let picture = try await decoder.decode(try fixture(name))
    #expect(picture.bitmap.shows(within: 8), "\(picture.bitmap.quadrantMiddles)")
    #expect(!picture.isIncomplete)
  }

  @Test(
    "A scaled decode covers the target with less than twice its tighter side",
    arguments: [(1, 1), (20, 10), (50, 50), (63, 1), (100, 75), (130, 100), (399, 299), (500, 9)])
  func scaled(width: Int, height: Int) async throws {
    let data = Data(try JPEGWriter(width: 400, height: 300).bytes())
    let target = PixelSize(width: width, height: height)
    let picture = try await decoder.decode(data, covering: target)
    let size = picture.bitmap.size
    #expect(picture.originalSize == PixelSize(width: 400, height: 300))
    #expect(size.width >= min(width, 400) && size.height >= min(height, 300))
    let isTight = size.width < 2 * width + 1 || size.height < 2 * height + 1
    #expect(isTight, "\(size)")
    if width > 4 && height > 4 { #expect(picture.bitmap.shows(within: 12)) }
  }

  @Test("A narrow picture keeps its pixels", arguments: [(1, 700), (700, 1), (1, 1)])
  func narrow(width: Int, height: Int) async throws {
    let data = Data(try JPEGWriter(width: width, height: height).bytes())
    let picture = try await decoder.decode(data, covering: PixelSize(width: 10, height: 10))
    #expect(picture.bitmap.size == PixelSize(width: width, height: height))
  }

  @Test("A truncated picture is usable and marked incomplete")
  func cut() async throws {
    let bytes = try JPEGWriter(width: 512, height: 512).bytes()
    let picture = try await decoder.decode(Array(bytes.dropLast(bytes.count / 5)))
    #expect(picture.isIncomplete)
    #expect(picture.bitmap.pixel(8, 8)[0] > 240)
    #expect(try await decoder.decode(Array(bytes.dropLast(4))).isIncomplete)
  }

  @Test("fault 100: without its end marker a picture is whole if all of its pixels are there")
  func noEnd() async throws {
    for flags in [0, panda_tj_progressive] {
      let bytes = try JPEGWriter(width: 96, height: 96, flags: flags).bytes()
      #expect(bytes.suffix(2) == [0xFF, 0xD9])
      let open = try await PictureDecoder().decode(Array(bytes.dropLast(2)))
      #expect(!open.isIncomplete && open.bitmap.shows(within: 12))
      let cut = try await PictureDecoder().decode(Array(bytes.dropLast(40)))
      #expect(cut.isIncomplete)
    }
    // A progressive one may end between two scans, where nothing looks torn.
    let bytes = try JPEGWriter(width: 96, height: 96, flags: panda_tj_progressive).bytes()
    let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    let last = try #require(scans.last)
    // The tables of the last scan come before it.
    let tables = try #require(bytes[..<last].lastIndex { $0 == 0xC4 }) - 1
    for end in [last, tables] {
      let picture = try await PictureDecoder().decode(Array(bytes[..<end]))
      #expect(picture.isIncomplete, "\(end)")
    }
  }

  @Test("Stray bytes that cost no pixel do not make it incomplete")
  func strayBytes() async throws {
    let bytes = try JPEGWriter().bytes()
    let end = bytes.count - 2
    let picture = try await decoder.decode(bytes[..<end] + [1, 2, 3] + bytes[end...])
    #expect(!picture.isIncomplete)
    #expect(picture.bitmap.shows(within: 6))
  }

  @Test("Lossless and 12-bit pictures are not supported")
  func varieties() async throws {
    var lossless = try JPEGWriter().bytes()
    let frame = try #require(lossless.indices.first { lossless[$0...].starts(with: [0xFF, 0xC0]) })
    var deep = lossless
    lossless[frame + 1] = 0xC3
    deep[frame + 4] = 12
    for bytes in [lossless, deep] {
      #expect(await errorKind { _ = try await decoder.decode(bytes) } == .unsupported(.jpeg))
    }
  }

  @Test("A progressive picture of too many scans is refused")
  func scanBomb() async throws {
    var bytes = try JPEGWriter(width: 64, height: 64, flags: panda_tj_progressive).bytes()
    let size = PixelSize(width: 64, height: 64)
    let scan = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xDA]) })
    let header = bytes[scan..<(scan + 2 + Int(bytes[scan + 3]))]
    bytes.insert(contentsOf: [[UInt8]](repeating: Array(header), count: 400).joined(), at: scan)
    let fewScans = PictureDecoder(limits: PictureLimits(scannedPixels: 64 * 64 * 100))
    #expect(await errorKind { _ = try await fewScans.decode(bytes) } == .tooCostly(.jpeg, size))
    // libjpeg-turbo's own limit, for a picture so small that ours lets it pass.
    bytes.insert(contentsOf: [[UInt8]](repeating: Array(header), count: 200).joined(), at: scan)
    #expect(await errorKind { _ = try await decoder.decode(bytes) } == .damaged)
  }
}
