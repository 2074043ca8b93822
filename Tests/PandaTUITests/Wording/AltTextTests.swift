import Foundation
import PandaCore
import Pantry
import Testing

@testable import PandaShell

@Suite struct AltTextTests {
  private func text(
    _ source: String = "redpanda.club", title: String? = nil, about: String? = nil,
    by credit: String? = nil, license: String? = nil, caption: String? = nil,
    tags: [String] = [], colors: [String] = [], url: String = "https://x/1"
  ) -> String {
    let image = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(string: url)!, width: 1200,
      height: 900, dataRepresentation: Attachment(Data()), source: source, title: title,
      about: about, credit: credit, license: license, caption: caption, tags: tags)
    return "\(AltText(image, colors: colors))"
  }

  @Test func `what it shows comes first, then title, author, license, source and colors`() {
    #expect(
      text(
        title: "File:Wah at Zoo Duisburg.jpg", about: "Asleep on a branch", by: "Ada",
        license: "CC0", caption: "Sleepy", tags: ["cute", "bamboo"],
        colors: ["rust brown", "dark green"])
        == "Asleep on a branch. Wah at Zoo Duisburg, by Ada, CC0, from redpanda.club, mostly rust "
        + "brown and dark green. Caption: Sleepy. Tags: cute, bamboo.")
    #expect(
      text(about: "It sleeps!", by: "Ada") == "It sleeps! By Ada, from redpanda.club.")
  }

  @Test func `what is unknown or goes without saying is left out`() {
    #expect(text() == "A red panda, from redpanda.club.")
    #expect(text("") == "A red panda.")
    #expect(text(title: " . ", caption: " ", tags: ["", " "]) == text())
    // Every panda has these.
    for title in ["Red Panda", "Ailurus fulgens (24986761703).jpg", "DSC_0123", "Red pandas"] {
      #expect(text(title: title, about: title) == text(), "\(title)")
    }
    // The title is said once.
    #expect(
      text(title: "Wah in snow.jpg", about: "Wah in snow, at noon")
        == "Wah in snow, at noon. From redpanda.club.")
    #expect(text("", about: "Asleep") == "Asleep.")
  }

  @Test func `a title stands for the animal, and a drawing is called one`() {
    #expect(
      text(title: "A red panda dozing in the snow.")
        == "A red panda dozing in the snow, from redpanda.club.")
    #expect(text(title: "Wah!") == "Wah, from redpanda.club.")
    #expect(
      text(
        "Bamboo Grove", title: "dozing in snow", by: BambooGroveSource.credit,
        url: "panda://grove/1") == "A drawn red panda, dozing in snow.")
  }

  @Test func `colors are listed as in speech`() {
    #expect(text(colors: ["gray"]).hasSuffix("mostly gray."))
    #expect(text(colors: ["gray", "cream", "black"]).hasSuffix("mostly gray, cream and black."))
  }

  @Test func `a sentence ends with one punctuation mark`() {
    #expect(text(caption: "Sleepy!").hasSuffix("Caption: Sleepy!"))
    #expect(text(caption: "Why?", tags: ["a."]).hasSuffix("Caption: Why? Tags: a."))
  }

  @Test func `the text is sanitized, and its length is limited`() {
    let evil = "\u{1B}]52;c;cGFuZGE=\u{7}\u{202E}a\nb" + String(repeating: "x", count: 100_000)
    let text = text(
      evil, title: evil, about: evil, by: evil, license: evil, caption: evil,
      tags: [String](repeating: evil, count: 1_000),
      colors: [evil])
    #expect(text.unicodeScalars.allSatisfy { $0 == "…" || (0x20..<0x7F).contains($0.value) })
    #expect(text.count < 3_000)
  }
}
