import Testing

@testable import PandaCore
@testable import PandaTUI

/// The tags that Tab and a click complete to.
@Suite struct TagCompletionTests {
  var completion = TagCompletion([
    Tags.Use(tag: "sleepy", count: 12), Tags.Use(tag: "snack", count: 3),
    Tags.Use(tag: "snow", count: 1),
  ])
  var field = TextField("")

  /// The chips in a line, the next one in brackets.
  private func line(columns: Int = 60) -> String {
    completion.chips(for: field, columns: columns)
      .map { $0.isNext ? "[\($0.text)]" : $0.text }.joined(separator: "|")
  }

  @Test mutating func `Tab cycles through the chips`() {
    #expect(line() == "[ sleepy 12 ]| snack 3 | snow 1 ")
    for next in ["snack", "snow", "sleepy"] {
      completion.complete(&field)
      #expect(completion.chips(for: field, columns: 60).first(where: \.isNext)?.tag == next)
    }
    #expect(field.text == "snow")
  }

  @Test mutating func `as many chips are shown as fit, and always the next one`() {
    #expect(line(columns: 29) == "[ sleepy 12 ]| snack 3 ")
    #expect(line(columns: 30) == "[ sleepy 12 ]| snack 3 | snow 1 ")
    #expect(line(columns: 11) == "[ sleepy 12 ]")
    #expect(line(columns: 10) == "")
    #expect(line(columns: -4) == "")
    completion.complete(&field)
    completion.complete(&field)
    #expect(line(columns: 18) == " snack 3 |[ snow 1 ]")
    #expect(line(columns: 11) == "[ snow 1 ]")
  }

  @Test mutating func `a click completes the word, with its minus, and begins the next one`() {
    field.paste("new -sn")
    completion.complete(&field, to: "snow")
    #expect(field.text == "new -snow ")
    #expect(line() == "[ sleepy 12 ]| snack 3 ")
    // Tab has taken another one, which the click replaces.
    completion.complete(&field)
    completion.complete(&field, to: "snack")
    #expect(field.text == "new -snow snack ")
  }

  @Test mutating func `a tag that is there is not offered, with hyphens and a minus too`() {
    completion = TagCompletion([
      Tags.Use(tag: "best-of-snow", count: 2), Tags.Use(tag: "sleepy", count: 1),
      Tags.Use(tag: "snow", count: 1),
    ])
    field = TextField("best-of-snow -sleepy ")
    #expect(line() == "[ snow 1 ]")
  }

  @Test func `hostile tags stay on their chips`() {
    let hostile = TagCompletion([Tags.Use(tag: "a\u{1B}[2J\nb", count: 1)])
    let text = hostile.chips(for: TextField(""), columns: 60).map(\.text)
    #expect(text.count == 1 && text[0].allSatisfy { !$0.isNewline && $0 != "\u{1B}" })
  }
}
