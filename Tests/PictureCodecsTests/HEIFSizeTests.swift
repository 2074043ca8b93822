internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("The size of HEIC and AVIF is that of their codecs")
struct HEIFSizeTests {
  private typealias Writer = HEIFWriter

  /// A picture whose file tells of 64 x 64 pixels, and whose codecs of more than the limits.
  private static func lies() throws -> [(String, [UInt8])] {
    let huge = Writer.hevc(22_000, 22_000)
    let small = try Writer.item(of: fixture("burst.heic"))
    func made(_ kind: String, _ data: [UInt8], of parts: [Writer.Item]) -> [UInt8] {
      let numbers = parts.indices.map { $0 + 2 }
      let item = Writer.Item(
        kind: kind, properties: [Writer.ispe(64, 64)], data: data, references: [("dimg", numbers)])
      return Writer(items: [item] + parts).bytes()
    }
    var cropped = huge
    cropped.properties.append(Writer.clap(64, 64))
    var turned = huge
    turned.properties.append(Writer.irot(1))
    var alpha = huge
    alpha.properties.append(Writer.alpha)
    alpha.references = [("auxl", [1])]
    var avif = try fixture("huge.avif")
    let place = try #require(Data(avif).firstRange(of: Data("ispe".utf8))).upperBound
    avif.replaceSubrange(place + 4..<place + 12, with: [0, 0, 0, 64, 0, 0, 0, 64])
    return [
      ("AVIF", avif), ("HEIC", Writer(items: [huge]).bytes()),
      (
        "HEIC with its sizes among the data",
        Writer(items: [Writer.hevc(22_000, 22_000, isInData: true)]).bytes()
      ),
      ("a crop", Writer(items: [cropped]).bytes()), ("a turn", Writer(items: [turned]).bytes()),
      ("transparency", Writer(items: [small, alpha]).bytes()),
      ("a tile", made("grid", Writer.grid(1, 1, 22_000, 22_000), of: [huge])),
      (
        "a grid",
        Writer(items: [
          Writer.Item(
            kind: "grid", properties: [Writer.ispe(64, 64)],
            data: Writer.grid(255, 255, 16_320, 16_320),
            references: [("dimg", .init(repeating: 2, count: 255 * 255))]), small,
        ]).bytes()
      ),
      ("another name", made("iden", [], of: [huge])),
    ]
  }

  /// Runs in a separate process, since it measures memory.
  @Test("fault 106: what a file says of its size does not lead around the limits")
  func limits() async {
    await #expect(processExitsWith: .success) {
      for (name, bytes) in try Self.lies() {
        let memory = try PeakMemory()
        for limits in [PictureLimits.network, .ownFiles] {
          for attempt in [
            { _ = try PictureDecoder.admit(Data(bytes), limits: limits) },
            { _ = try await PictureDecoder(limits: limits).decode(bytes) },
          ] as [() async throws -> Void] {
            switch await errorKind(attempt) {
            case .tooManyPixels, .tooCostly: continue
            case let kind: Issue.record("\(name): \(String(describing: kind))")
            }
          }
        }
        let growth = try memory.growth()
        #expect(growth < 64_000_000, "\(name): \(growth) bytes")
      }
    }
  }

  @Test(
    "fault 106: a mere difference is no reason to refuse, and the size is what was decoded",
    arguments: [("burst.heic", 64), ("quadrants.avif", 48)])
  func differences(name: String, rows: Int) async throws {
    guard HEIFDecodingTests.canDecode else { return }
    let own = try Writer.item(of: fixture(name))
    let brand = name.hasSuffix("avif") ? "avif" : "heic"
    let table: [(properties: [[UInt8]], width: Int, height: Int)] = [
      ([Writer.ispe(1, 1)], 64, rows), ([Writer.ispe(9_000, 60_000)], 64, rows),
      ([Writer.ispe(rows, 64), Writer.irot(1)], rows, 64),
      ([Writer.ispe(64, 64), Writer.clap(32, 24)], 32, 24),
      ([Writer.ispe(64, rows), Writer.irot(3), Writer.clap(16, 50)], 16, 50),
      ([Writer.ispe(64, rows), Writer.clap(5_000, 20)], 64, 20),
    ]
    for (properties, width, height) in table {
      var item = own
      item.properties += properties
      let bytes = Writer(brand: brand, items: [item]).bytes()
      let size = PixelSize(width: width, height: height)
      #expect(try PictureDecoder.header(of: Data(bytes)).size == size)
      let picture = try await PictureDecoder().decode(bytes)
      #expect(picture.originalSize == size && picture.bitmap.size == size)
    }
  }

  @Test("Pictures that are made of others have the size of their canvas")
  func composed() async throws {
    guard HEIFDecodingTests.canDecode else { return }
    let tile = try Writer.item(of: fixture("burst.heic"))
    func made(_ kind: String, _ data: [UInt8], of count: Int) -> [UInt8] {
      Writer(
        items: [
          Writer.Item(
            kind: kind, properties: [Writer.ispe(64, 48)], data: data,
            references: [("dimg", Array(2..<2 + count))])
        ]
          + [Writer.Item](
            repeating: Writer.Item(
              kind: tile.kind, properties: tile.properties + [Writer.ispe(64, 64)],
              data: tile.data), count: count)
      ).bytes()
    }
    for (bytes, width, height) in [
      (made("grid", Writer.grid(2, 2, 120, 90), of: 4), 120, 90),
      (made("iden", [], of: 1), 64, 64),
    ] {
      let size = PixelSize(width: width, height: height)
      #expect(try PictureDecoder.header(of: Data(bytes)).size == size)
      #expect(try await PictureDecoder().decode(bytes).originalSize == size)
    }
    // libheif would read past the end of some.
    let overlay = Data(made("iovl", Writer.overlay(100, 70, of: 2), of: 2))
    #expect(
      await errorKind { _ = try PictureDecoder.header(of: overlay) } == .unsupported(.heic))
    // Tiles that do not cover their picture, or lie outside of it.
    for data in [Writer.grid(2, 2, 129, 90), Writer.grid(2, 2, 64, 90)] {
      let bytes = Data(made("grid", data, of: 4))
      #expect(await errorKind { _ = try PictureDecoder.header(of: bytes) } == .damaged)
    }
  }

  @Test("fault 106: a file that two readers could take for two pictures is damaged")
  func contradictions() async throws {
    let small = try Writer.item(of: fixture("burst.heic"))
    func refuses(_ bytes: [UInt8], _ comment: Comment) async {
      let kind = await errorKind { _ = try PictureDecoder.header(of: Data(bytes)) }
      #expect(kind == .damaged, comment)
    }
    let file = Writer(items: [small]).bytes()
    let meta = try #require(Data(file).firstRange(of: Data("meta".utf8))).lowerBound - 4
    await refuses(file + file[meta...], "two lists of items")
    var both = Writer.hevc(64, 48)
    both.data = Writer.hevc(640, 480, isInData: true).data
    await refuses(Writer(items: [both]).bytes(), "two parameter sets")
    let itself = Writer.Item(
      kind: "iden", properties: [Writer.ispe(64, 48)], references: [("dimg", [1])])
    await refuses(Writer(items: [itself]).bytes(), "made of itself")
    var alpha = small
    (alpha.properties, alpha.references) = (small.properties + [Writer.alpha], [("auxl", [1, 2])])
    await refuses(Writer(items: [small, alpha]).bytes(), "transparency of itself")
  }

  @Test("fault 106: transparency of another size is not read past its end")
  func alpha() async throws {
    guard HEIFDecodingTests.canDecode else { return }
    var color = try Writer.item(of: fixture("costs/420-8.avif"))
    color.properties.append(Writer.ispe(2_048, 1_536))
    var alpha = try Writer.item(of: fixture("narrow-gray.avif"))
    alpha.properties += [
      Writer.ispe(2_048, 1_536),
      Writer.box(
        "auxC", [0, 0, 0, 0] + Array("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0".utf8)),
    ]
    alpha.references = [("auxl", [1])]
    let bytes = Writer(brand: "avif", items: [color, alpha]).bytes()
    #expect(await errorKind { _ = try await PictureDecoder().decode(bytes) } == .unsupported(.avif))
  }

  @Test("fault 106: texts that libheif would inflate stay as they are")
  func packedTexts() async {
    guard HEIFDecodingTests.canDecode else { return }
    await #expect(processExitsWith: .success) {
      var item = try Writer.item(of: fixture("quadrants.avif"))
      item.properties.append(Writer.ispe(64, 48))
      let text = Writer.Item(
        kind: "mime", data: Inflation.packed([UInt8](repeating: 32, count: 100_000_000)),
        references: [("cdsc", [1])], note: ("application/rdf+xml", "deflate"))
      // Without an end, it would be inflated for ever.
      let cut = Writer.Item(
        kind: "mime", data: Array(text.data.prefix(10)), references: [("cdsc", [1])],
        note: text.note)
      for text in [text, cut] {
        let bytes = Writer(brand: "avif", items: [item, text]).bytes()
        _ = try await PictureDecoder().decode(fixture("quadrants.avif"))
        let memory = try PeakMemory()
        #expect(try await PictureDecoder().decode(bytes).bitmap.shows(within: 8))
        let growth = try memory.growth()
        #expect(growth < 16_000_000, "\(growth) bytes")
      }
    }
  }

  @Test("The thumbnail in a file stands for a picture of one's own that is too large")
  func thumbnail() async throws {
    guard HEIFDecodingTests.canDecode else { return }
    // Decoding 144 megapixels would take more memory than it may.
    let file = Data(try fixture("thumbnail.avif"))
    let header = try PictureDecoder.header(of: file)
    #expect(header.size == PixelSize(width: 64, height: 48))
    #expect(header.wholeSize == PixelSize(width: 12_000, height: 12_000))
    let picture = try await PictureDecoder().decode(Array(file))
    #expect(picture.isThumbnail && picture.originalSize == header.size)
    #expect(picture.bitmap.shows(within: 8))
    #expect(throws: PictureError.self, "one from the network") { try PictureDecoder.admit(file) }

    // Of several, the largest that is not too large itself.
    let huge = Writer.hevc(22_000, 22_000)
    var (middle, small) = (Writer.hevc(16_000, 16_000), try Writer.item(of: fixture("burst.heic")))
    small.properties.append(Writer.ispe(64, 64))
    let whole = small
    middle.references = [("thmb", [1])]
    small.references = middle.references
    let several = try await PictureDecoder().decode(Writer(items: [huge, middle, small]).bytes())
    #expect(several.isThumbnail && several.originalSize.width == 64)
    let both = try await PictureDecoder().decode(Writer(items: [whole, small]).bytes())
    #expect(!both.isThumbnail, "the picture itself, where it is within the limits")
    let tooLarge = Data(Writer(items: [huge, middle]).bytes())
    #expect(
      await errorKind { _ = try PictureDecoder.header(of: tooLarge) }
        == .tooManyPixels(
          PixelSize(width: 22_000, height: 22_000), limit: 200_000_000, sideLimit: 65_535))
  }

  @Test("Gray of limited range is as black and white as it was")
  func narrowGray() async throws {
    guard HEIFDecodingTests.canDecode else { return }
    let picture = try await PictureDecoder().decode(fixture("narrow-gray.avif"))
    // What Pillow makes of red, green, blue and white.
    let grays: [[UInt8]] = [76, 150, 29, 255].map { [$0, $0, $0, 255] }
    #expect(picture.bitmap.shows(grays, within: 3), "\(picture.bitmap.quadrantMiddles)")
  }
}
