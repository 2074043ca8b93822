import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaCore
@testable import Pantry

/// Reading and writing agree: what can be added can be exported.
@MainActor
@Suite struct ExportEverythingTests {
  private let fixture = ExchangeFixture()

  /// The picture files of the suite, and some that end in other ways.
  private static func files() throws -> [(name: String, data: Data)] {
    let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    var files: [(name: String, data: Data)] = []
    for folder in ["Tests/PictureCodecsTests/Fixtures", "Fuzzing/Seeds"] {
      let all = try #require(
        FileManager.default.enumerator(
          at: root.appending(path: folder), includingPropertiesForKeys: nil))
      // Some of the same kinds are large.
      for case let url as URL in all
      where !url.hasDirectoryPath && !url.path.contains("/costs/")
        && !url.lastPathComponent.hasPrefix("bomb")
      {
        files.append((url.lastPathComponent, try Data(contentsOf: url)))
      }
    }
    for name in ["notes.heic", "quadrants.avif", "red-panda.jpg", "animated.gif", "lossy.webp"] {
      let data = try #require(files.first { $0.name == name }).data
      files.append(("newline \(name)", data + [10]))
      files.append(("trailer \(name)", data + Data("SEFH\0\0\0\u{6}".utf8) + data.prefix(99)))
      files.append(
        ("movie \(name)", data + [0, 0, 0, 16] + Data("moovmvhd".utf8) + Data(count: 4)))
    }
    return files
  }

  /// Returns the file as a favorite if `panda add` would take it.
  private func added(_ name: String, _ data: Data, _ number: Int) async -> RemoteImage? {
    do {
      let fetched = try LocalPicture.read(input: data)
      let header = try PictureDecoder.header(of: data)
      let picture = try await PictureDecoder().decode(data, covering: ThumbnailCache.size)
      guard !picture.isIncomplete else { return nil }
      return RemoteImage(
        createdAt: Date(timeIntervalSince1970: 5), url: URL(string: "https://a.example/\(number)")!,
        width: header.wholeSize.width, height: header.wholeSize.height,
        dataRepresentation: Attachment(fetched.data), source: "a.example", title: name)
    } catch {
      return nil
    }
  }

  @Test func `fault 104: what add takes, every export takes`() async throws {
    var images: [RemoteImage] = []
    for (number, file) in try Self.files().enumerated() {
      if let image = await added(file.name, file.data, number) { images.append(image) }
    }
    #expect(images.count > 60)
    let library = try await fixture.library(images)
    let movies = Set(images.filter { $0.title?.hasPrefix("movie") == true }.map(\.id))
    // A page holds a few.
    let few = GalleryPage.limits.pictures
    for start in stride(from: 0, to: images.count, by: few) {
      let part = Array(images[start..<min(start + few, images.count)])
      let page = ExportTarget.html(fixture.path("page\(start).html"))
      let report = try await library.export(part, to: page)
      #expect(report.unreadable.isEmpty && report.count == part.count, "\(start)")
    }
    let site = ExportTarget.site(fixture.path("site"), allLicenses: true)
    let published = try await library.export(to: site)
    #expect(published.unreadable.isEmpty && published.count == images.count)
    for (form, strips) in [("whole", false), ("stripped", true)] {
      let target = try ExportTarget(path: fixture.path(form))
      let report = try await library.export(to: target, withoutMetadata: strips)
      #expect(report.unreadable.isEmpty, "\(form)")
      #expect(report.count == images.count, "\(form)")
      // Of a HEIC or AVIF that is a video besides, the first frame.
      let again = images.filter { report.encodedAgain.contains($0.id) }
      for image in again {
        #expect(movies.contains(image.id) || image.title == "animated.avif", "\(image.title ?? "")")
      }
      // Without libheif there is none of them.
      #expect(again.isEmpty != (strips && images.contains { $0.title == "animated.avif" }))
      let other = fixture.library("of \(form)")
      #expect(try await other.importFavorites(from: fixture.path(form)).added == images.count)
      for (image, copy) in zip(library.favorites.items, other.favorites.items) {
        #expect(image.width == copy.width && image.height == copy.height, "\(image.title ?? "")")
        let data = try await copy.dataRepresentation.data()
        let picture = try await PictureDecoder().decode(data, covering: ThumbnailCache.size)
        #expect(!picture.isIncomplete, "\(image.title ?? "")")
      }
    }
  }
}
