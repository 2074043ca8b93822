import Foundation
import PictureCodecs
import Testing

@testable import PictureCards

/// Cards that are drawn, written as PNG, and read again.
@Suite(
  .enabled("Pango is not installed: apt-get install libpangocairo-1.0-0 fonts-dejavu-core") {
    (try? TextSetter()) != nil
  })
struct ShareCardTests {
  private static let paper: [UInt8] = [0xF7, 0xF3, 0xEC]
  private static let red: [UInt8] = [200, 40, 20, 255]

  private func picture(_ width: Int, _ height: Int) -> DecodedPicture {
    let size = PixelSize(width: width, height: height)
    let pixels = (0..<width * height).flatMap { _ in Self.red }
    return DecodedPicture(
      bitmap: Bitmap(size: size, pixels: pixels), originalSize: size, isIncomplete: false)
  }

  /// Draws a card and reads its PNG file.
  private func card(
    _ picture: DecodedPicture, _ text: String?, credit: String = "Ada · CC BY 4.0 · zoo"
  ) async throws -> Bitmap {
    let drawing = try ShareCard(picture: picture, text: text, credit: credit).drawn()
    let data = try drawing.bitmap.pngData()
    let header = try PictureDecoder.header(of: data)
    let read = try await PictureDecoder().decode(data, covering: header.size)
    #expect(header.format == .png && read.bitmap == drawing.bitmap)
    return read.bitmap
  }

  private func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> [UInt8] {
    let index = (y * bitmap.size.width + x) * 4
    return Array(bitmap.pixels[index..<index + 3])
  }

  /// The part of a card below its picture.
  private func text(of bitmap: Bitmap, _ picture: DecodedPicture) -> Bitmap {
    let measures = CardMeasures(picture: picture.originalSize)
    let top = measures.margin + measures.picture.height + measures.gap / 2
    return bitmap.cropped(
      to: PixelRect(
        x: 0, y: top, size: PixelSize(width: bitmap.size.width, height: bitmap.size.height - top)))
  }

  private func inkCount(_ bitmap: Bitmap) -> Int {
    stride(from: 0, to: bitmap.pixels.count, by: 4).count { bitmap.pixels[$0] < 0xC0 }
  }

  @Test func `it has the picture's pixels, paper around it, and text below`() async throws {
    let picture = picture(1_000, 600)
    let card = try await card(picture, "Snowy nap")
    let measures = CardMeasures(picture: picture.originalSize)
    #expect(card.size.width == 1_000 + 2 * measures.margin)
    let center = (measures.margin + 500, measures.margin + 300)
    #expect(pixel(card, center.0, center.1) == Array(Self.red[..<3]))
    #expect(pixel(card, measures.margin + 20, measures.margin + 2) == Array(Self.red[..<3]))
    #expect(pixel(card, 3, 3) == Self.paper)
    // The corner is round.
    #expect(pixel(card, measures.margin, measures.margin) != Array(Self.red[..<3]))
    let words = text(of: card, picture)
    #expect(inkCount(words) > 300)
    let other = text(of: try await self.card(picture, "Sleepy sun"), picture)
    #expect(words != other && words.size == other.size)
    let same = text(of: try await self.card(picture, "Snowy nap"), picture)
    #expect(words == same)
  }

  @Test func `without a caption only the credit is shown`() async throws {
    let picture = picture(900, 900)
    let none = try await card(picture, nil)
    let empty = try await card(picture, "")
    #expect(none == empty && inkCount(text(of: none, picture)) > 100)
    let long = try await card(picture, String(repeating: "sleepy snow ", count: 25))
    #expect(long.size.height > none.size.height + 100 && long.size.width == none.size.width)
  }

  @Test(arguments: [
    String(repeating: "W", count: 300), "a " + String(repeating: "Donaudampfschiff", count: 8),
    "الباندا الأحمر ينام في الثلج", "レッサーパンダは雪の中で眠る", "🐼 wah 👩‍👩‍👧‍👦", "हिमालय का लाल पांडा",
    "👩‍👩‍👧‍👦", "a\u{0301}\u{0301}\u{0301}", "\u{2068}\u{2069}", " ",
  ])
  func `text of any script stays between the margins`(_ caption: String) async throws {
    let picture = picture(700, 500)
    let words = text(of: try await card(picture, caption), picture)
    let margin = CardMeasures(picture: picture.originalSize).margin
    for x in [0, margin / 2, words.size.width - margin / 2, words.size.width - 1] {
      for y in 0..<words.size.height where pixel(words, x, y) != Self.paper {
        Issue.record("ink at \(x), \(y)")
        return
      }
    }
  }

  @Test func `text is below the middle of a narrow picture`() async throws {
    let picture = picture(60, 900)
    let card = try await card(picture, "wah", credit: "zoo")
    let words = text(of: card, picture)
    let middle = card.size.width / 2
    let ink = (0..<words.size.width).filter { x in
      (0..<words.size.height).contains { pixel(words, x, $0)[0] < 0xC0 }
    }
    let (first, last) = (try #require(ink.first), try #require(ink.last))
    #expect(abs((first + last) / 2 - middle) < 8 && last - first < 120)
    #expect(pixel(card, middle, 300) == Array(Self.red[..<3]))
  }

  @Test func `a long word makes the text smaller before it is broken`() throws {
    let setter = try TextSetter()
    let style = TextStyle(size: 40)
    let word = "Donaudampfschifffahrtsgesellschaft"
    let width = try SetText(word, style, width: 5_000, by: setter).width
    let fitted = try SetText("a \(word)", style, width: width * 4 / 5, by: setter)
    // Two lines, and not three.
    #expect(fitted.width <= width * 4 / 5 && fitted.height < 100)
    let broken = try SetText(word, style, width: width / 3, by: setter)
    #expect(broken.width <= width / 3 && broken.height > 130)
  }

  @Test func `characters that no font has are reported`() throws {
    let picture = picture(600, 400)
    let known = try ShareCard(picture: picture, text: "wah", credit: "\u{2068}zoo\u{2069}").drawn()
    #expect(!known.lacksGlyphs)
    // An unassigned code point.
    let unknown = try ShareCard(picture: picture, text: "\u{50000}", credit: "zoo").drawn()
    #expect(unknown.lacksGlyphs)
  }

  @Test func `a transparent picture lets the paper through`() async throws {
    let size = PixelSize(width: 600, height: 600)
    let clear = DecodedPicture(
      bitmap: Bitmap(size: size, pixels: [UInt8](repeating: 0, count: 600 * 600 * 4)),
      originalSize: size, isIncomplete: false)
    let card = try await card(clear, nil)
    #expect(pixel(card, card.size.width / 2, 300) == Self.paper)
  }
}

/// What needs no library.
@Suite struct CardMeasuresTests {
  @Test(arguments: [
    (4_000, 3_000, 1_200, 900), (3_000, 4_000, 900, 1_200), (1_200, 1_200, 1_200, 1_200),
    (1_000, 700, 1_000, 700), (600, 400, 800, 533), (300, 200, 600, 400), (64, 48, 128, 96),
    (20_000, 3, 1_200, 1), (1, 1, 2, 2), (0, 0, 1, 1),
  ])
  func `large pictures are made smaller, and small ones at most twice as large`(
    _ width: Int, _ height: Int, _ shownWidth: Int, _ shownHeight: Int
  ) {
    #expect(
      CardMeasures.shown(PixelSize(width: width, height: height))
        == PixelSize(width: shownWidth, height: shownHeight))
  }

  @Test func `a narrow picture leaves room for its text`() {
    let narrow = CardMeasures(picture: PixelSize(width: 100, height: 2_000))
    #expect(narrow.picture.width == 60 && narrow.width == 560)
    #expect(CardMeasures(picture: PixelSize(width: 900, height: 100)).width == 900)
  }

  @Test func `a missing library is named, with the command that installs it`() {
    let error = #expect(throws: CardError.self) {
      try PangoLibrary(loading: "libpango-of-nobody.so.0")
    }
    #expect(error?.kind == .missingLibrary)
    let words = error?.description ?? ""
    #expect(words.contains("libpango-of-nobody.so.0"))
    #expect(words.hasSuffix("Install it: apt-get install libpangocairo-1.0-0"))
    #expect(CardError(.noFont).description.contains("apt-get install fonts-dejavu-core"))
  }
}
