internal import Foundation
internal import Testing

@testable import PictureCodecs

@Suite("HEIC and AVIF")
struct HEIFDecodingTests {
  private static let size = PixelSize(width: 64, height: 48)

  /// Whether this system's libheif has the decoders.
  static let canDecode: Bool = {
    ["quadrants.heic", "quadrants.avif"].allSatisfy { name in
      guard let bytes = try? fixture(name) else { return false }  // reported by the tests
      return bytes.withUnsafeBytes { bytes in
        (try? PictureDecoder.decode(
          bytes, covering: size, limits: .ownFiles, deadline: DecodingDeadline(after: .seconds(60))
        )) != nil  // as above
      }
    }
  }()

  @Test(
    "A picture of a telephone is decoded",
    .enabled("libheif and its decoders are not installed: apt-get install libheif1") { canDecode },
    arguments: ["quadrants.heic", "quadrants.avif"])
  func decoded(name: String) async throws {
    let data = Data(try fixture(name))
    #expect(try PictureDecoder.header(of: data).size == Self.size)
    let picture = try await PictureDecoder().decode(data, covering: Self.size)
    #expect(picture.bitmap.size == Self.size && !picture.isIncomplete)
    #expect(picture.bitmap.shows(within: 8), "\(picture.bitmap.quadrantMiddles)")
    // Terminals that decode pictures themselves do not know these.
    #expect(!picture.isAsStored)
    let small = try await PictureDecoder().decode(data, covering: PixelSize(width: 16, height: 12))
    #expect(small.bitmap.size == PixelSize(width: 16, height: 12))
    #expect(small.bitmap.shows(within: 8))
  }

  @Test(
    "A color profile and transparency count",
    .enabled("libheif and its decoders are not installed: apt-get install libheif1") { canDecode })
  func colors() async throws {
    let wide = try await PictureDecoder().decode(try fixture("display-p3.heic")).bitmap
    #expect(wide.shows(ColorTests.expected, within: 6), "\(wide.quadrantMiddles)")
    let clear = try await PictureDecoder().decode(try fixture("half.heic")).bitmap
    #expect(clear.quadrantMiddles.allSatisfy { abs(Int($0[3]) - 128) <= 3 })
    #expect(clear.shows(quadrants.map { $0.prefix(3) + [128] }, within: 10))
  }

  @Test(
    "A file that is cut off or damaged is refused with a reason, and nothing traps",
    .enabled("libheif and its decoders are not installed: apt-get install libheif1") { canDecode })
  func broken() async throws {
    for name in ["quadrants.heic", "quadrants.avif"] {
      let bytes = try fixture(name)
      for count in stride(from: 12, to: bytes.count, by: 7) {
        let picture = try? await PictureDecoder().decode(Array(bytes[..<count]))  // or a reason
        #expect(picture?.isIncomplete != false, "\(name): \(count)")
      }
      var random = SystemRandomNumberGenerator()
      for _ in 0..<200 {
        var bytes = bytes
        bytes[Int.random(in: 12..<bytes.count, using: &random)] = .random(in: 0...255)
        _ = try? await PictureDecoder().decode(bytes)  // any answer
      }
    }
  }

  @Test("The sentence for a missing library names the package")
  func missing() {
    #expect(
      "\(PictureError(.needsLibrary(.heic, package: "libheif1")))"
        == "HEIC pictures need a library that is not installed: apt-get install libheif1")
  }
}
