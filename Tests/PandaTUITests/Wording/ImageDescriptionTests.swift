import Foundation
import PandaCore
import Pantry
import Testing

@testable import PandaSession
@testable import TerminalKit

@Suite struct ImageDescriptionTests {
  @Test(arguments: [
    (0, "0 B"), (999, "999 B"), (1_000, "1 KB"), (214_400, "214 KB"), (999_499, "999 KB"),
    (999_500, "0.9 MB"), (1_400_000, "1.4 MB"), (20_000_000, "20.0 MB"),
  ])
  func `byte counts are human-readable`(_ count: Int, _ text: String) {
    #expect("\(ByteCount(count))" == text)
  }

  @Test func `the line has source, size, bytes and day, and no control characters`() {
    let image = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 1_759_492_800), url: URL(string: "https://x/1")!,
      width: 1200, height: 900, dataRepresentation: Attachment(Data(count: 214_000)),
      source: "redpanda.club\u{1B}[2J", title: "A\u{7}panda\nsleeps")
    let line = ImageDescription(image).line
    #expect(line.contains("1200x900 · 214 KB · 3 Oct 2025"))
    #expect(line.contains("redpanda.club"))
    #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F })
  }

  @Test(arguments: [
    (80, "A red panda peeking from behind the bamboo in the moonlight"),
    (59, "A red panda peeking from behind the bamboo in the moonlight"),
    (58, "A red panda peeking from behind the bamboo…"),
    (43, "A red panda peeking from behind the bamboo…"), (42, "A red panda peeking…"),
    (20, "A red panda peeking…"), (19, "A red panda…"), (5, "A re…"), (1, "…"), (0, ""),
  ])
  func `a title is truncated at the end of a phrase`(_ columns: Int, _ text: String) {
    let title = "A red panda peeking from behind the bamboo in the moonlight"
    #expect(title.shortened(to: columns) == text)
    #expect("レッサーパンダの写真です".shortened(to: 9) == "レッサー…")
  }

  @Test(arguments: [
    (32, "peeking from behind the bamboo…"), (30, "peeking from behind the…"),
    (18, "peeking from…"), (17, "peeking…"), (9, "peeking…"), (7, "peekin…"),
  ])
  func `a title keeps about half of its room, even if cut within a phrase`(
    _ columns: Int, _ text: String
  ) {
    #expect("peeking from behind the bamboo in the moonlight".shortened(to: columns) == text)
    #expect("Bo Supercalifragilistic".shortened(to: 16) == "Bo Supercalifra…")
    #expect("Mei & the others in the trees".shortened(to: 9) == "Mei & th…")
  }

  @Test(arguments: [
    (80, "Undone: removing 1 panda; all is back. U brings it back"),
    (45, "Undone: removing 1 panda; all is back"), (30, "Undone: removing 1 panda"),
    (23, "Undone: removing 1…"), (13, "Undone"), (6, "Undone"), (5, "Undo…"),
  ])
  func `a message ends with a whole clause`(_ columns: Int, _ text: String) {
    #expect(
      "Undone: removing 1 panda; all is back. U brings it back".fitted(to: columns) == text)
    let failure = "Not saved: The server refused this because the wall is full"
    #expect(failure.fitted(to: 40) == "Not saved: The server refused this…")
    #expect(failure.fitted(to: 12) == "Not saved")
    #expect("Exported 3 to St. Louis".fitted(to: 18) == "Exported 3 to St.…")
  }

  @Test func `truncated text ends with a whole clause or word`() {
    let note = "They stay there for 30 days. The others remain favorites."
    #expect(note.wrapped(to: 60, rows: 2) == [note])
    #expect(note.wrapped(to: 16, rows: 2) == ["They stay there", "for 30 days"])
    #expect(note.wrapped(to: 16, rows: 1) == ["They stay there…"])
    #expect(note.wrapped(to: 16, rows: 0).isEmpty)
  }

  @Test func `a name that does not fit starts with the part that distinguishes pandas`() {
    let name = "A red panda dozing in the snow"
    #expect(name.shortenedName(to: 30) == name)
    #expect(name.shortenedName(to: 29) == "dozing in the snow")
    #expect([name, "Grove"].listed(upTo: 29) == "dozing in the snow")
    #expect("A red panda ".shortenedName(to: 11) == "A red panda…".shortened(to: 11))
  }

  @Test func `parts that do not fit beside the title are left out whole`() {
    let parts = ["Asleep", "Ada", "Wikimedia Commons"]
    #expect(parts.listed(upTo: 32) == "Asleep · Ada · Wikimedia Commons")
    #expect(parts.listed(upTo: 31) == "Asleep · Ada")
    #expect(parts.listed(upTo: 8) == "Asleep")
    #expect(parts.listed(upTo: 4) == "Asl…")
    #expect([String]().listed(upTo: 4) == "")
  }

  @Test func `a title is cut before the author is`() {
    let parts = ["A long title of many words", "Winter", "Ada Lovelace", "Commons", "640x480"]
    #expect(
      parts.listed(upTo: 44, keeping: "Ada Lovelace") == "A long title of many words · Ada Lovelace"
    )
    #expect(parts.listed(upTo: 30, keeping: "Ada Lovelace") == "A long title… · Ada Lovelace")
    #expect(parts.listed(upTo: 14, keeping: "Ada Lovelace") == "A long title…")
  }

  @Test func `the line credits the maker and names the license, before the figures`() {
    let image = RemoteImage(
      createdAt: Date(timeIntervalSince1970: 1_759_492_800), url: URL(string: "https://x/1")!,
      width: 1200, height: 900, dataRepresentation: Attachment(Data(count: 214_000)),
      source: "Wikimedia Commons", title: "Asleep",
      credit: "Ada" + String(repeating: ", and others", count: 9), license: "CC BY 4.0")
    let line = ImageDescription(image).line
    #expect(line.hasPrefix("Asleep · Ada, and others"))
    #expect(line.contains("… · CC BY 4.0 · Wikimedia Commons · 1200x900 · "))
    #expect(line.columns < 120)
  }
}
