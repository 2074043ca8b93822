internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("Notes in HEIC and AVIF")
struct HEIFStrippingTests {
  @Test(
    "fault 104: the notes of a telephone go, and the picture stays",
    arguments: ["notes.heic", "notes.avif"])
  func stripped(name: String) async throws {
    let data = Data(try fixture(name))
    let secret = Data("a secret place".utf8)
    try #require(data.range(of: secret) != nil)
    let bytes = try #require(data.withUnsafeBytes { HEIFStripper.strip($0) })
    #expect(Data(bytes).range(of: secret) == nil && bytes.count == data.count)
    // All but the notes is as it was: zeros only, where they were.
    let changed = zip(data, bytes).filter { $0 != $1 }
    #expect(changed.allSatisfy { $0.1 == 0 })
    // Without libheif there is nothing to compare.
    guard let before = try? await PictureDecoder().decode(Array(data)) else { return }  // see above
    #expect(try await PictureDecoder().decode(bytes).bitmap == before.bitmap)
    #expect(PictureMetadata.stripped(data) == Data(bytes))
    #expect(PictureMetadata.stripped(Data(bytes)) == Data(bytes))
  }

  @Test("A file that is cut anywhere, or with any byte changed, does no harm")
  func broken() throws {
    let bytes = try fixture("notes.heic")
    for index in 0..<min(bytes.count, 700) {
      _ = Array(bytes[..<index]).withUnsafeBytes { HEIFStripper.strip($0) }
      for value: UInt8 in [0, 1, 127, 255] {
        var changed = bytes
        changed[index] = value
        _ = changed.withUnsafeBytes { HEIFStripper.strip($0) }
      }
    }
  }
}
