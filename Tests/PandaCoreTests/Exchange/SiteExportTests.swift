import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaCore
@testable import Pantry

/// A site to publish.
@MainActor
@Suite struct SiteExportTests {
  private let fixture = ExchangeFixture()

  private func export(
    _ library: ImageLibrary, _ images: [RemoteImage]? = nil, allLicenses: Bool = false,
    progress: @escaping @Sendable (ExchangeProgress) -> Void = { _ in }
  ) async throws -> ExportReport {
    try await library.export(
      images, to: .site(fixture.path("site"), allLicenses: allLicenses), progress: progress)
  }

  /// The files of the site, without the list.
  private func files() throws -> Set<String> {
    let names = try FileManager.default.subpathsOfDirectory(atPath: fixture.path("site"))
    return Set(names.filter { $0.contains(".") && $0 != ".panda-site" })
  }

  /// The files to which the site's pages refer, from the first one on.
  private func referred() throws -> Set<String> {
    var found: Set<String> = ["index.html"]
    var pages = ["index.html"]
    while let page = pages.popLast() {
      let html = String(decoding: try fixture.bytes("site/\(page)"), as: UTF8.self)
      for match in html.matches(of: /(?:href|src)="([^":]+)"/) {
        let name = String(match.1)
        if found.insert(name).inserted, name.hasSuffix(".html") { pages.append(name) }
      }
    }
    return found
  }

  private func picture(_ number: Int, license: String?, at address: String? = nil) -> RemoteImage {
    var image = RemoteImage.sample(number, title: "A <red> panda \(number)")
    image = RemoteImage(
      createdAt: image.createdAt, url: URL(string: address ?? "https://a.example/\(number)")!,
      width: 1, height: 1, dataRepresentation: image.dataRepresentation, source: "a.example",
      title: image.title, about: number == 149 ? "Asleep & \"high\"" : nil, credit: "Jane",
      license: license, savedAt: image.savedAt)
    return image
  }

  @Test func `pages refer to what is there, and say what they show`() async throws {
    let library = try await fixture.library((1...205).map { picture($0, license: "CC BY 4.0") })
    let report = try await export(library)
    #expect(report == ExportReport(count: 205, written: 205))
    #expect(try referred() == files())
    #expect(try files().count == 3 + 2 * 205)
    let page = String(decoding: try fixture.bytes("site/index.html"), as: UTF8.self)
    #expect(page.matches(of: /<img loading="lazy"/).count == SitePage.length)
    #expect(page.contains("alt=\"A &lt;red&gt; panda 150\""))
    #expect(page.contains("alt=\"Asleep &amp; &quot;high&quot;\""))
    #expect(page.contains("href=\"https://creativecommons.org/licenses/by/4.0/\""))
    #expect(page.contains("img-src 'self'") && !page.contains("<script"))
  }

  @Test func `only what changed is written, and only what Panda wrote is removed`() async throws {
    let all = (1...102).map { picture($0, license: "CC0") }
    let library = try await fixture.library(all)
    _ = try await export(library)
    let before = try files()
    #expect(try await export(library).written == 0)
    #expect(try files() == before)
    try fixture.write(Data("own".utf8), to: "site/pictures/own.jpg")
    try await library.favorites.remove(Array(all[3...9]))
    try await library.favorites.add(picture(200, license: "CC0"))
    #expect(try await export(library).written == 1)
    #expect(try files() == referred().union(["pictures/own.jpg"]))
    // A file that is gone is written again.
    let gone = try #require(referred().first { $0.hasPrefix("thumbnails/") })
    try FileManager.default.removeItem(atPath: fixture.path("site/\(gone)"))
    #expect(try await export(library).written == 1)
    #expect(try files().contains(gone))
    // So is one whose name alone a power failure has left.
    try fixture.write(Data(), to: "site/\(gone)")
    #expect(try await export(library).written == 1)
    #expect(try !fixture.bytes("site/\(gone)").isEmpty)
    // A list that was tampered with reaches nothing else.
    try fixture.write(Data("mine".utf8), to: "mine.jpg")
    let list = try fixture.bytes("site/.panda-site") + Data("../mine\n../../mine.jpg\n".utf8)
    try fixture.write(list, to: "site/.panda-site")
    _ = try await export(library)
    #expect(try fixture.bytes("mine.jpg") == Data("mine".utf8))
  }

  @Test func `a directory with something else in it is refused`() async throws {
    let library = try await fixture.library([picture(1, license: "CC0")])
    try FileManager.default.createDirectory(
      atPath: fixture.path("site"), withIntermediateDirectories: true)
    try fixture.write(Data("notes".utf8), to: "site/notes.txt")
    let error = await #expect(throws: ExchangeError.self) { try await export(library) }
    #expect(error?.kind == .notASite && error?.isUsage == true)
    #expect(try files() == ["notes.txt"])
  }

  @Test func `an export that ends early leaves the former site whole`() async throws {
    let library = try await fixture.library((1...130).map { picture($0, license: "CC0") })
    _ = try await export(library)
    let former = try referred()
    let index = try fixture.bytes("site/index.html")
    try await library.favorites.removeAll()
    try await library.favorites.add((131...260).map { picture($0, license: "CC0") })
    for end in [1, 70, 129] {
      let task = Task { () -> ExportReport in
        try await export(library) { step in
          if step.done == end { withUnsafeCurrentTask { $0?.cancel() } }
        }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try fixture.bytes("site/index.html") == index)
      #expect(try files().isSuperset(of: former))
    }
    _ = try await export(library)
    #expect(
      try files() == referred() && files().isDisjoint(with: former.subtracting(["index.html"])))
  }

  @Test func `what is not openly licensed is left out and named, unless it is asked for`()
    async throws
  {
    let rows: [(license: String?, address: String?, isShown: Bool)] = [
      ("CC BY-SA 4.0", nil, true), ("CC0", nil, true), (nil, nil, false),
      ("CC BY-NC 2.0", nil, false),
      ("CC BY-ND 4.0", nil, false), ("cc-by-nc-sa", nil, false),
      (nil, "file:///home/own.jpg", true),
      (nil, "panda://grove/7", true),
    ]
    let images = rows.enumerated().map {
      picture($0.offset, license: $0.element.license, at: $0.element.address)
    }
    let library = try await fixture.library(images)
    let report = try await export(library)
    let hidden = zip(images, rows).filter { !$1.isShown }.map(\.0.id)
    #expect(Set(report.leftOut) == Set(hidden) && report.count == rows.count - hidden.count)
    let all = try await export(library, allLicenses: true)
    #expect(all.leftOut.isEmpty && all.count == rows.count)
  }

  @Test func `one page holds twenty favorites and eight megabytes`() async throws {
    let many = try await fixture.library("many", (1...21).map { .sample($0) })
    // Noise, of which nothing is decoded, as each picture is small enough for a page.
    var random = SplitMix64(seed: 1)
    let side = 480
    let pixels = (0..<side * side * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
    let noise = try Bitmap(size: PixelSize(width: side, height: side), pixels: pixels).pngData()
    #expect(noise.count * 10 * 4 / 3 > GalleryPage.limits.bytes && noise.count < 1_000_000)
    let large = try await fixture.library(
      "large",
      (1...10).map { number in
        RemoteImage(
          createdAt: Date(timeIntervalSince1970: 5),
          url: URL(string: "https://a.example/\(number)")!,
          width: side, height: side, dataRepresentation: Attachment(noise + [UInt8(number)]),
          source: "a.example")
      })
    for library in [many, large] {
      let path = fixture.path("page.html")
      let error = await #expect(throws: ExchangeError.self) {
        try await library.export(to: .html(path))
      }
      #expect(error?.kind == .largePage && error?.description.contains("--site DIR") == true)
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
