import Foundation
import PandaCore
import Pantry
import Testing

@testable import PandaShell

@Suite struct AltTextTests {
  private func text(
    _ source: String = "redpanda.club", title: String? = nil, caption: String? = nil,
    tags: [String] = [], width: Int = 1200, colors: [String] = [], url: String = "https://x/1"
  ) -> String {
    let image = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(string: url)!, width: width,
      height: 900, dataRepresentation: Attachment(Data()), source: source, title: title,
      caption: caption, tags: tags)
    return "\(AltText(image, colors: colors))"
  }

  @Test func `known details are listed in order`() {
    #expect(
      text(caption: "Sleepy", tags: ["cute", "bamboo"], colors: ["rust brown", "dark green"])
        == "A red panda from redpanda.club, 1200 by 900 pixels, mostly rust brown and dark green."
        + " Caption: Sleepy. Tags: cute, bamboo.")
  }

  @Test func `unknown details are left out`() {
    #expect(text() == "A red panda from redpanda.club, 1200 by 900 pixels.")
    #expect(text("", width: 0) == "A red panda.")
    #expect(text(title: " . ", caption: " ", tags: ["", " "]) == text())
  }

  @Test func `a title that names the animal replaces its name`() {
    #expect(
      text("Bamboo Grove", title: "A red panda dozing in the snow.")
        == "A red panda dozing in the snow, from Bamboo Grove, 1200 by 900 pixels.")
    #expect(
      text(title: "Wah!") == "A red panda from redpanda.club, titled Wah, 1200 by 900 pixels.")
    #expect(
      text("Bamboo Grove", title: "dozing in snow", url: "panda://grove/1")
        == "A drawn red panda, dozing in snow, 1200 by 900 pixels.")
    #expect(text("", title: "Red pandas") == "Red pandas, 1200 by 900 pixels.")
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
      evil, title: evil, caption: evil, tags: [String](repeating: evil, count: 1_000),
      colors: [evil])
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    #expect(text.count < 3_000)
  }
}
