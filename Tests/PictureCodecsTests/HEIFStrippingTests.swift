internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Notes in HEIC and AVIF")
struct HEIFStrippingTests {
  private static let secret = Array("a secret place".utf8)

  private func strip(_ bytes: [UInt8]) throws -> [UInt8]? {
    try bytes.withUnsafeBytes { try HEIFStripper.strip($0, .heic) }
  }

  @Test(
    "fault 104: the notes of a telephone go, and the picture stays",
    arguments: ["notes.heic", "notes.avif"])
  func stripped(name: String) async throws {
    let data = Data(try fixture(name))
    try #require(data.range(of: Data(Self.secret)) != nil)
    let bytes = try #require(try strip(Array(data)))
    #expect(Data(bytes).range(of: Data(Self.secret)) == nil && bytes.count == data.count)
    // All but the notes is as it was: zeros only, where they were.
    let changed = zip(data, bytes).filter { $0 != $1 }
    #expect(changed.allSatisfy { $0.1 == 0 })
    #expect(PictureMetadata.stripped(data) == Data(bytes))
    #expect(PictureMetadata.stripped(Data(bytes)) == Data(bytes))
    // Without libheif there is nothing to compare.
    guard let before = try? await PictureDecoder().decode(Array(data)) else { return }
    #expect(try await PictureDecoder().decode(bytes).bitmap == before.bitmap)
  }

  @Test(
    "fault 104: several boxes of data and what follows the last one are no hindrance")
  func boxes() async throws {
    let bytes = try fixture("burst.heic")
    #expect(try strip(bytes)?.count == bytes.count)
    for trailer in [[10], Self.secret, Array("SEFH".utf8) + Self.secret] {
      let stripped = try #require(PictureMetadata.stripped(Data(bytes + trailer)))
      #expect(stripped == PictureMetadata.stripped(Data(bytes)))
    }
    #expect(PictureMetadata.stripped(Data(try fixture("animated.avif"))) == nil)
  }

  @Test("fault 104: texts in profiles, properties and names go as well")
  func texts() async throws {
    var item = try HEIFWriter.item(of: fixture("burst.heic"))
    let profile = ICCWriter.rgb(ICCWriter.displayP3, ICCWriter.sRGBCurve, text: Self.secret)
    item.properties += [
      HEIFWriter.ispe(64, 48), HEIFWriter.box("colr", Array("prof".utf8) + profile),
      HEIFWriter.box("udes", [0, 0, 0, 0] + Self.secret + [0]),
    ]
    let note = HEIFWriter.Item(
      kind: "mime", data: Self.secret, note: (String(decoding: Self.secret, as: UTF8.self), ""))
    let bytes = HEIFWriter(items: [item, note]).bytes()
    let stripped = try #require(PictureMetadata.stripped(Data(bytes)))
    #expect(Data(bytes).range(of: Data(Self.secret)) != nil)
    #expect(stripped.range(of: Data(Self.secret)) == nil && stripped.count == bytes.count)
    guard HEIFDecodingTests.canDecode else { return }
    let (before, after) = try await (
      PictureDecoder().decode(bytes), PictureDecoder().decode(Array(stripped))
    )
    #expect(before.bitmap == after.bitmap && before.colorIssue == nil && after.colorIssue == nil)
  }

  @Test("A file that is cut anywhere, or with any byte changed, does no harm")
  func broken() throws {
    for name in ["notes.heic", "burst.heic", "costs/420-8-grid.avif"] {
      let bytes = try fixture(name)
      for index in 0..<min(bytes.count, 700) {
        _ = try? strip(Array(bytes[..<index]))  // or a reason
        // 0x88 makes numbers of eight bytes of those of four.
        for value: UInt8 in [0, 1, 127, 0x88, 255] {
          var changed = bytes
          changed[index] = value
          _ = try? strip(changed)  // as above
        }
      }
    }
  }
}
