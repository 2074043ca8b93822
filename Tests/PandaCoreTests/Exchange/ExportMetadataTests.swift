import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaCore
@testable import Pantry

/// What the files of an export say of place, camera and owner.
@MainActor
@Suite struct ExportMetadataTests {
  private let fixture = ExchangeFixture()
  private let secret = Data("48.2082N 16.3738E 012345".utf8)

  /// A JPEG that is turned by EXIF, with a secret in EXIF and in a comment.
  private func photo(_ number: Int) throws -> RemoteImage {
    let bitmap = Bitmap(
      size: PixelSize(width: 16, height: 8),
      pixels: (0..<512).map { UInt8(truncatingIfNeeded: $0 * number) })
    let jpeg = try #require(bitmap.jpegData())
    let exif: [UInt8] =
      Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
      + [0, 0, 0, 0] + secret
    let segments: [UInt8] =
      [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif
      + [0xFF, 0xFE, 0, UInt8(secret.count + 2)] + secret
    let data = jpeg.prefix(2) + segments + jpeg.dropFirst(2)
    return RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "https://a.example/\(number)")!,
      width: 8, height: 16, dataRepresentation: Attachment(data), source: "a.example")
  }

  @Test func `fault 104: a page omits location, camera and owner`() async throws {
    let library = try await fixture.library([photo(1)])
    let report = try await library.export(to: .html(fixture.path("page.html")))
    #expect(report.count == 1 && report.withMetadata == 0)
    let page = String(decoding: try fixture.bytes("page.html"), as: UTF8.self)
    let encoded = try #require(
      page.firstMatch(of: /src="data:image\/jpeg;base64,([^"]*)"/)?.output.1)
    let data = try #require(Data(base64Encoded: String(encoded)))
    #expect(data.firstRange(of: secret) == nil)
    #expect(try PictureDecoder.header(of: data).orientation == .rightTop)
  }

  @Test func `fault 104: files keep their bytes, or lose their metadata on request`() async throws {
    let library = try await fixture.library([photo(1), photo(2), .sample(3)])
    let path = fixture.path("panda")
    let whole = try await library.export(to: ExportTarget(path: path))
    #expect(whole.count == 3 && whole.withMetadata == 2)
    let original = fixture.library("original")
    #expect(try await original.importFavorites(from: path).added == 3)
    for (image, other) in zip(library.favorites.items, original.favorites.items) {
      #expect(image.dataRepresentation.digest == other.dataRepresentation.digest)
    }
    // The same place: the files change.
    let clean = try await library.export(to: ExportTarget(path: path), withoutMetadata: true)
    #expect(clean.count == 3 && clean.withMetadata == 0)
    let stripped = fixture.library("stripped")
    #expect(try await stripped.importFavorites(from: path) == ImportReport(added: 3, known: 0))
    for (image, other) in zip(library.favorites.items, stripped.favorites.items) {
      #expect(image.id == other.id && image.width == other.width && image.height == other.height)
      let data = try await other.dataRepresentation.data()
      #expect(data.firstRange(of: secret) == nil)
      #expect(
        try PictureDecoder.header(of: data)
          == PictureDecoder.header(of: await image.dataRepresentation.data()))
    }
    // Both are one, also where the original has another address.
    #expect(try await original.importFavorites(from: path) == ImportReport(added: 0, known: 3))
    let moved = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "https://b.example/1")!,
      width: 8, height: 16, dataRepresentation: try photo(1).dataRepresentation,
      source: "b.example")
    let other = try await fixture.library("other", [moved])
    #expect(try await other.importFavorites(from: path) == ImportReport(added: 2, known: 1))
  }

  @Test func `an export without metadata writes only new files, like any other`() async throws {
    let library = try await fixture.library([photo(1), photo(2)])
    let target = ExportTarget.directory(fixture.path("panda"))
    #expect(try await library.export(to: target, withoutMetadata: true).written == 2)
    #expect(try await library.export(to: target, withoutMetadata: true).written == 0)
    #expect(try await library.export(to: target).written == 2)
    #expect(try fixture.names(in: "panda").count == 3)
  }
}
