import Foundation
import PandaCore
import PandaTestSupport
import Pantry
import PictureCards
import PictureCodecs
import Testing

@testable import PandaSession
@testable import TerminalKit

/// Share cards: the key on the screen, and `panda card`.
@MainActor
@Suite(
  .enabled("Pango is not installed: apt-get install libpangocairo-1.0-0 fonts-dejavu-core") {
    let size = PixelSize(width: 1, height: 1)
    let picture = DecodedPicture(
      bitmap: Bitmap(size: size, pixels: [0, 0, 0, 255]), originalSize: size, isIncomplete: false)
    return (try? ShareCard(picture: picture, text: nil, credit: "zoo").drawn()) != nil
  })
struct ShareCardAppTests {
  private let directory = TemporaryDirectory()
  private let panda: CommandDriver

  init() { panda = CommandDriver(directory) }

  private func bitmap(_ path: String) async throws -> Bitmap {
    try await bitmap(Data(contentsOf: URL(filePath: path)))
  }

  private func bitmap(_ data: Data) async throws -> Bitmap {
    let header = try PictureDecoder.header(of: data)
    #expect(header.format == .png)
    return try await PictureDecoder().decode(data, covering: header.size).bitmap
  }

  @Test func `the key asks for a file, and writes the card of the panda`() async throws {
    let panda = try AppDriver(directory)
    try await panda.favorite(1)
    try panda.press(.view(.nextPane))
    try await panda.open(.picture(.shareCard), "Save a card to share")
    #expect(panda.display.text.contains("-card.png"))
    panda.press(key: .control("u"))
    let path = directory.path("card")
    panda.enter(path)
    try await panda.expect(text: "Saved as \(path).png")
    let card = try await bitmap("\(path).png")
    // The 64x48 pixels of the picture, twice as large.
    #expect(card.size.height > 96 && card.size.width > 560)

    // Nothing is replaced: another name is asked for.
    try await panda.open(.picture(.shareCard), "Save a card to share")
    panda.press(key: .control("u"))
    panda.enter("\(path).png")
    try await panda.expect(text: "exists already: choose another name")
    try panda.press(.program(.cancel))
    try await panda.expect(noText: "exists already")
    try await panda.quit()
  }

  @Test func `the command writes a card, and replaces a file only when asked`() async throws {
    try await panda.save(1)
    let id = try #require(try await panda.run("list", "--ids").lines.first)
    let path = directory.path("card.png")
    let first = try await panda.run("card", id, path)
    #expect(first.status == .done && first.words == "Saved as \(path).\n", "\(first.words)")
    let plain = try await bitmap(path)

    _ = try await panda.run("caption", id, "Snowy", "nap")
    let refused = try await panda.run("card", id, path)
    #expect(refused.status == .failed)
    #expect(refused.words.contains("No card was written: \(path) exists already"))
    #expect(try await bitmap(path) == plain)
    #expect(try await panda.run("card", "--replace", id, path).status == .done)
    let captioned = try await bitmap(path)
    #expect(captioned != plain)
    #expect(try await bitmap(panda.run("card", id, "-").data) == captioned)
    // In a directory it gets a name.
    _ = try await panda.run("card", id, directory.url.path)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    #expect(names.contains { $0.hasSuffix("-card.png") })
    #expect(!names.contains { $0.hasSuffix(".tmp") })

    #expect(try await panda.run("remove", id).status == .done)
    #expect(try await panda.run("card", id, directory.path("trashed.png")).status == .done)
    let missing = try await panda.run("card", "abcdef", directory.path("no.png"))
    #expect(missing.status == .notFound)
    let jpeg = try await panda.run("card", id, directory.path("card.JPG"))
    #expect(jpeg.words.contains("A card is a PNG file: choose a name that ends in .png"))
    #expect(!FileManager.default.fileExists(atPath: directory.path("card.JPG")))
    let nowhere = try await panda.run("card", id, directory.path("no/card.png"))
    #expect(nowhere.status == .failed && nowhere.words.contains("its directory does not exist"))
  }
}

/// What a card says.
@Suite struct CardWordsTests {
  private func words(
    caption: String? = nil, title: String? = nil, credit: String? = nil, license: String? = nil
  ) -> CardWords {
    CardWords(
      RemoteImage(
        createdAt: Date(timeIntervalSince1970: 0), url: URL(string: "https://zoo.example/1")!,
        width: 1, height: 1, dataRepresentation: Attachment(Data([1])), source: "zoo",
        title: title, credit: credit, license: license, caption: caption))
  }

  @Test func `the caption comes before the title, and harmful characters are left out`() {
    #expect(words(caption: "Nap", title: "Panda").text == "Nap")
    #expect(words(caption: " ", title: "Panda").text == "Panda")
    #expect(words().text == nil)
    #expect(words(caption: "Wah\u{1B}[2J\n\u{202E}wah").text == "Wah[2J wah")
  }

  @Test func `the credit is that of the gallery, each part with its own direction`() {
    #expect(
      words(credit: "Ada", license: "CC BY 4.0").credit
        == "\u{2068}Ada\u{2069} · \u{2068}CC BY 4.0\u{2069} · \u{2068}zoo\u{2069}")
    #expect(words(credit: "").credit == "\u{2068}zoo\u{2069}")
  }
}
