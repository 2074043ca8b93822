internal import CTurboJPEG
internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Colors")
struct ColorTests {
  /// Colors that Display P3 and sRGB show differently, one in each quadrant.
  static let colors: [[UInt8]] = [
    [200, 60, 40, 255], [40, 180, 90, 255], [60, 70, 210, 255], [120, 120, 120, 255],
  ]
  static let expected = colors.map(ColorArithmetic.fromDisplayP3)
  static let profile = ICCWriter.rgb(ICCWriter.displayP3, ICCWriter.sRGBCurve)

  /// A PNG of the four colors, with chunks before its pixels.
  static func png(_ chunks: [UInt8]) -> [UInt8] {
    PNGWriter(extra: chunks) { x, y in
      colors[quadrant(x, y, 32, 32)].prefix(3).map { Int($0) }
    }.bytes()
  }

  /// A chunk with a color profile.
  static func iccp(_ profile: [UInt8]) -> [UInt8] {
    PNGWriter.chunk("iCCP", Array("p".utf8) + [0, 0] + PNGWriter.zlibStored(profile))
  }

  /// A JPEG of the four colors, with segments after its beginning.
  static func jpeg(_ segments: [UInt8]) throws -> [UInt8] {
    let size: Int32 = 32
    let pixels = (0..<1024).flatMap { colors[quadrant($0 % 32, $0 / 32, 32, 32)] }
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let result = tjCompress2(
      handle, pixels, size, 0, size, panda_tj_pixels_rgba, &output, &count, panda_tj_sampling_444,
      100, 0)
    defer { tjFree(output) }
    try #require(result == 0)
    let bytes = Array(UnsafeBufferPointer(start: output, count: Int(count)))
    return Array(bytes[..<2]) + segments + Array(bytes[2...])
  }

  /// The segments of a profile, in so many pieces; the last ones first.
  static func app2(_ profile: [UInt8], pieces: Int = 1) -> [UInt8] {
    (0..<pieces).reversed().flatMap { index -> [UInt8] in
      let piece = profile[
        (profile.count * index / pieces)..<(profile.count * (index + 1) / pieces)]
      let content = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces)] + piece
      return [0xFF, 0xE2] + PNGWriter.bigEndian(content.count + 2).suffix(2) + content
    }
  }

  @Test("fault 100: Display P3 is shown in its colors, from PNG and from pieces in a JPEG")
  func displayP3() async throws {
    let files = [
      ("PNG", Self.png(Self.iccp(Self.profile)), 0),
      ("JPEG", try Self.jpeg(Self.app2(Self.profile, pieces: 3)), 1),
    ]
    for (name, bytes, tolerance) in files {
      let picture = try await PictureDecoder().decode(bytes)
      #expect(picture.bitmap.shows(Self.expected, within: 2 + tolerance), "\(name)")
      #expect(!picture.bitmap.shows(Self.colors, within: 10), "\(name)")
      #expect(picture.colorIssue == nil && !picture.isAsStored, "\(name)")
    }
  }

  @Test("fault 100: the colors of a reduced picture are converted as well")
  func reduced() async throws {
    let bytes = Self.png(Self.iccp(Self.profile))
    let picture = try await PictureDecoder().decode(
      Data(bytes), covering: PixelSize(width: 8, height: 8))
    #expect(picture.bitmap.size == PixelSize(width: 8, height: 8))
    #expect(picture.bitmap.shows(Self.expected, within: 2))
  }

  @Test("A profile of sRGB changes nothing")
  func sRGB() async throws {
    let profile = ICCWriter.rgb(ICCWriter.sRGB, ICCWriter.sRGBCurve)
    let picture = try await PictureDecoder().decode(Self.png(Self.iccp(profile)))
    #expect(picture.bitmap.shows(Self.colors))
    #expect(picture.isAsStored && picture.colorIssue == nil)
  }

  @Test("fault 100: a broken profile is ignored, with a reason")
  func broken() async throws {
    var short = Self.profile
    short.removeLast(200)
    let huge = Self.profile + [UInt8](repeating: 0, count: ICCProfile.byteLimit)
    let pieces = Self.app2(Self.profile, pieces: 3)
    let files = [
      Self.png(PNGWriter.chunk("iCCP", Array("p\0\0junk".utf8))), Self.png(Self.iccp(short)),
      Self.png(Self.iccp(huge)), Self.png(Self.iccp(ICCWriter.cmyk())),
      try Self.jpeg(Array(pieces[(pieces.count / 3)...].drop { $0 != 0xFF })),
      try Self.jpeg(Self.app2(short)),
    ]
    for (index, bytes) in files.enumerated() {
      let picture = try await PictureDecoder().decode(bytes)
      #expect(picture.bitmap.shows(Self.colors, within: 3), "\(index)")
      #expect(picture.colorIssue?.contains("ignored") == true, "\(index)")
    }
  }

  @Test("fault 100: gAMA and cHRM count, and sRGB and a profile come before them")
  func gamma() async throws {
    let linear = PNGWriter.chunk("gAMA", PNGWriter.bigEndian(100_000))
    let lighter = Self.colors.map { color in
      color.prefix(3).map { ColorArithmetic.value(Double($0) / 255) } + [255]
    }
    let primaries = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
    let chrm = PNGWriter.chunk("cHRM", primaries.flatMap { PNGWriter.bigEndian($0) })
    let files: [([UInt8], [[UInt8]])] = [
      (linear, lighter),
      (linear + PNGWriter.chunk("sRGB", [0]), Self.colors),
      (linear + Self.iccp(Self.profile), Self.expected),
      // Of no known curve.
      (PNGWriter.chunk("gAMA", PNGWriter.bigEndian(0)), Self.colors),
    ]
    for (index, (chunks, expected)) in files.enumerated() {
      let picture = try await PictureDecoder().decode(Self.png(chunks))
      #expect(picture.bitmap.shows(expected, within: 2), "\(index)")
    }
    let wide = try await PictureDecoder().decode(Self.png(linear + chrm)).bitmap
    #expect(!wide.shows(lighter, within: 10))
  }

  @Test("fault 100: cICP comes before everything else")
  func codePoints() async throws {
    func decoded(_ points: [UInt8]) async throws -> Bitmap {
      let other = Self.iccp(ICCWriter.rgb(ICCWriter.sRGB, ICCWriter.gamma(1)))
      return try await PictureDecoder().decode(
        Self.png(PNGWriter.chunk("cICP", points) + other)
      ).bitmap
    }
    #expect(try await decoded([12, 13, 0, 1]).shows(Self.expected, within: 2))
    #expect(try await decoded([1, 13, 0, 1]).shows(Self.colors))
    // BT.709's curve is steeper in the dark, so that the same value is lighter.
    let gray = try await decoded([1, 1, 0, 1]).quadrantMiddles[3][0]
    #expect((121...140).contains(gray))
    // Of studio levels, 120 is a little darker.
    #expect(try await decoded([1, 13, 0, 0]).quadrantMiddles[3][0] < 122)
    // PQ and HLG are as bright as a screen is, and not black.
    for transfer: UInt8 in [16, 18] {
      let bitmap = try await decoded([9, transfer, 0, 1])
      #expect(bitmap.quadrantMiddles[3][0] > 60, "\(transfer)")
    }
  }

  @Test("Tone mapping keeps the order of lights, and what an ordinary picture shows")
  func toneMapping() throws {
    for transfer in [16, 18] {
      let space = try #require(RGBColorSpace(primaries: 9, transfer: transfer))
      let lights = (0...255).map { space.light(of: Double($0) / 255) }
      #expect(zip(lights, lights.dropFirst()).allSatisfy { $0 <= $1 })
      #expect(lights[0] == 0 && lights[255] > 0.95 && lights[255] <= 1)
    }
    // PQ's 0.58 is 203 nits, the white of an ordinary picture (ITU-R BT.2408).
    let white = try #require(RGBColorSpace(primaries: 9, transfer: 16)).light(of: 0.58)
    #expect((0.8...0.95).contains(white))
  }

  @Test("fault 100: ink is converted by its profile, however it is stored")
  func ink() async throws {
    for name in ["cmyk-adobe.jpg", "cmyk-plain.jpg", "ycck.jpg"] {
      let bytes = try fixture(name)
      let own = Array(bytes[..<2]) + Self.app2(ICCWriter.cmyk()) + Array(bytes[2...])
      let bitmap = try await PictureDecoder().decode(own).bitmap
      #expect(bitmap.isOpaque)
      // Red, green and blue take inks, and white takes none: L* of 50 is 119 in sRGB.
      let gray: [UInt8] = [119, 119, 119, 255]
      #expect(
        bitmap.shows([gray, gray, gray, [255, 255, 255, 255]], within: 4),
        "\(name): \(bitmap.quadrantMiddles)")
      let without = try await PictureDecoder().decode(bytes).bitmap
      #expect(without.shows(within: 40), "\(name)")
    }
  }

  @Test("A gray picture has a profile of grays")
  func gray() async throws {
    let file = PNGWriter(color: .gray, extra: Self.iccp(ICCWriter.gray(ICCWriter.gamma(1)))) {
      _, _ in [100]
    }
    let picture = try await PictureDecoder().decode(file.bytes())
    let light = ColorArithmetic.value(100.0 / 255)
    #expect(abs(Int(picture.bitmap.pixel(3, 3)[1]) - Int(light)) <= 2)
    #expect(Set(picture.bitmap.pixel(3, 3).prefix(3)).count == 1)
    #expect(picture.bitmap.isOpaque)
  }

  @Test("Transparency is left as it is")
  func transparency() async throws {
    let file = PNGWriter(color: .rgba, extra: Self.iccp(Self.profile)) { x, _ in
      [200, 60, 40, x * 8]
    }
    let bitmap = try await PictureDecoder().decode(file.bytes()).bitmap
    #expect((0..<32).allSatisfy { bitmap.pixel($0, 5)[3] == UInt8($0 * 8) })
  }
}
