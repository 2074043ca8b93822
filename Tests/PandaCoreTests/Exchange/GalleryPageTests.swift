import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaCore
@testable import Pantry

/// The web page of an export.
@MainActor
@Suite struct GalleryPageTests {
  let fixture = ExchangeFixture()

  /// The pages of the pictures, each with as many as it holds.
  private func page(_ images: [RemoteImage]) async throws -> String {
    let library = try await fixture.library("library-\(UUID())", images)
    let few = GalleryPage.limits.pictures
    var pages = ""
    for start in stride(from: 0, to: images.count, by: few) {
      let part = Array(images[start..<min(start + few, images.count)])
      _ = try await library.export(part, to: .html(fixture.path("panda.html")))
      pages += String(decoding: try fixture.bytes("panda.html"), as: UTF8.self)
    }
    return pages
  }

  /// The elements and texts of a page, as a parser of HTML sees them; the pictures are shortened.
  private func parsed(_ page: String) throws -> [String] {
    try fixture.write(Data(page.utf8), to: "parsed.html")
    let script = """
      import sys, html.parser
      class Parser(html.parser.HTMLParser):
          def handle_starttag(self, tag, attributes):
              for key, value in attributes: print('@', tag, key, ascii(value)[:200])
              print('<', tag)
          def handle_endtag(self, tag): print('>', tag)
          def handle_data(self, data): print('"', ascii(data))
          def handle_comment(self, data): print('#', ascii(data))
      Parser().feed(open(sys.argv[1], encoding='utf-8', newline='').read())
      """
    let result = try fixture.run("python3", "-c", script, fixture.path("parsed.html"))
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func `hostile text is text: no element, attribute or comment comes from it`() async throws {
    let plain = try parsed(
      await page(
        HostileText.all.indices.map { .sample($0, title: "t", caption: "c", tags: ["g"]) }))
    let hostile = try parsed(
      await page(
        HostileText.all.enumerated().map { number, text in
          // Never empty, which would leave out an element.
          .sample(number, title: text, caption: "c\(text)\"'></p><script>", tags: ["g\(text)"])
        }))
    func structure(_ lines: [String]) -> [String] {
      lines.filter { !$0.hasPrefix("\"") }.map { line in
        let isText = line.hasPrefix("@ img alt") || line.hasPrefix("@ img src")
        return isText ? String(line.prefix(9)) : line
      }
    }
    #expect(structure(hostile) == structure(plain))
    #expect(!hostile.contains { $0.hasPrefix("#") || $0 == "< script" })
    #expect(plain.count { $0 == "< img" } == HostileText.all.count)
  }

  @Test func `a heading is text too, and the usual one without it`() {
    for heading in HostileText.all {
      let text = "h\(heading)</h1><script>"
      let escaped = HTMLText.escaped(text)
      let page = GalleryPage.beginning(heading: text)
      #expect(page.contains("<title>\(escaped)</title>"))
      #expect(page.contains("<h1 dir=\"auto\">\(escaped)</h1>"))
      #expect(GalleryPage.isOurs(Data(page.utf8.prefix(GalleryPage.beginningByteCount))))
    }
    #expect(GalleryPage.beginning().contains("<h1 dir=\"auto\">Red pandas</h1>"))
  }

  @Test func `escaping leaves no character that means anything in HTML`() {
    for text in HostileText.all + ["<>&\"'`=", "]]>", "<!--", "-->"] {
      let escaped = HTMLText.escaped(text)
      #expect(!escaped.contains { "<>\"'".contains($0) }, "\(escaped)")
      #expect(!escaped.unicodeScalars.contains { $0.properties.generalCategory == .control })
      let rest = escaped.replacing(/&(amp|lt|gt|quot|#39);/, with: "")
      #expect(!rest.contains("&"), "\(escaped)")
    }
  }

  @Test(
    arguments: [
      ("https://a.example/?a=1&b='2'", "https://a.example/?a=1&amp;b=&#39;2&#39;"),
      ("http://192.168.0.1/", nil), ("http://u:p@a.example/", nil), ("http://10.0.0.7/x", "named"),
    ] as [(String, String?)])
  func `fault 113: a page links to the public web, and to hosts that the user named`(
    _ page: String, _ link: String?
  ) throws {
    let image = RemoteImage.sample(1, page: page)
    let named = [try #require(URL(string: "http://10.0.0.7/api"))]
    let html = GalleryPage.closing(image, number: 1, named: link == "named" ? named : [])
    // After that of the license.
    let links = html.matches(of: /href="(h[^"]*)"/).map { String($0.1) }.dropFirst()
    #expect(Array(links) == (link.map { [$0 == "named" ? page : $0] } ?? []))
  }

  @Test(arguments: [
    ("CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/"),
    ("cc-by-2.0", "https://creativecommons.org/licenses/by/2.0/"),
    ("CC0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("cc0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    ("PDM", "https://creativecommons.org/publicdomain/mark/1.0/"),
    ("CC BY", nil), ("CC BY 2.0 DE", nil), ("CC BY 9.9", nil), ("MIT", nil), ("", nil),
  ])
  func `a Creative Commons license has a page`(_ license: String, _ page: String?) {
    #expect(LicensePage.address(of: license) == page)
  }

  @Test func `a page has everything in itself and allows nothing else`() async throws {
    let image = RemoteImage.sample(1, caption: "Asleep <b>", tags: ["cute", "snow"])
    let page = try await page([image])
    let lines = try parsed(page)
    let policy = try #require(lines.first { $0.contains("default-src") })
    let style = try #require(page.firstMatch(of: /<style>((?s:.*?))<\/style>/)?.1)
    let digest = Data(ContentDigest(of: Data(style.utf8)).bytes).base64EncodedString()
    #expect(policy.contains("default-src 'none'; img-src data:; style-src 'sha256-\(digest)'"))
    #expect(!lines.contains { $0.hasPrefix("@") && $0.split(separator: " ")[2] == "style" })
    // No other pictures, style sheets or scripts.
    for line in lines where line.hasPrefix("@") && line.contains(" src ") {
      #expect(line.hasPrefix("@ img src 'data:image/png;base64,"), "\(line)")
    }
    #expect(!["< link", "< script", "< iframe", "< object"].contains { lines.contains($0) })
    #expect(lines.contains("@ img alt 'Asleep <b>'"))
    #expect(lines.contains("@ a href 'https://a.example/page/1'"))
    #expect(lines.contains("@ a href 'https://creativecommons.org/licenses/by-sa/4.0/'"))
    #expect(lines.contains("\" 'Jane Doe'") && lines.contains("\" 'cute'"))
    #expect(page.contains(RemoteImage.picture(1).base64EncodedString()))
    #expect(lines.contains { $0.hasPrefix("@ time datetime '2026-05-") })
  }

  @Test func `a large picture is scaled, and a small one is there with its own bytes`()
    async throws
  {
    let size = PixelSize(width: 1800, height: 900)
    // Noise, which no format makes small.
    var generator = SystemRandomNumberGenerator()
    func noise(alpha: UInt8?) -> [UInt8] {
      let words = (0..<size.width * size.height / 2).map { _ in generator.next() }
      var bytes = words.withUnsafeBytes { [UInt8]($0) }
      if let alpha {
        for index in stride(from: 3, to: bytes.count, by: 4) { bytes[index] = alpha }
      }
      return bytes
    }
    let decoder = PictureDecoder()
    for (alpha, type) in [(255, "image/jpeg"), (nil, "image/png")] as [(UInt8?, String)] {
      let data = try Bitmap(size: size, pixels: noise(alpha: alpha)).pngData()
      #expect(data.count > GalleryPicture.byteLimit)
      let picture = try await GalleryPicture(data, format: .png, decoder: decoder)
      #expect(picture.mediaType == type)
      let header = try PictureDecoder.header(of: picture.data)
      #expect(header.size == PixelSize(width: 1600, height: 800))
      #expect("image/\(header.format.rawValue)" == type)
      // What cannot be decoded stays.
      let damaged = data.prefix(100) + Data(count: GalleryPicture.byteLimit)
      let kept = try await GalleryPicture(damaged, format: .png, decoder: decoder)
      #expect(kept.data == damaged && kept.mediaType == "image/png")
    }
    let small = RemoteImage.picture(1)
    #expect(try await GalleryPicture(small, format: .png, decoder: decoder).data == small)
  }
}
