import Foundation
import Testing

@testable import PandaCore
@testable import PandaSession
@testable import PandaTUI
@testable import TerminalKit

@Suite struct SourcesDialogTests {
  private func status(
    _ id: String, isEnabled: Bool = true, isReserve: Bool = false, failures: Int = 0,
    rest: RequestGate.Rest? = nil, last: SourceRing.Answer? = nil,
    isAsked: Bool = false
  ) -> SourceRing.Status {
    SourceRing.Status(
      id: id, label: id.uppercased(), homePage: nil, isEnabled: isEnabled, isReserve: isReserve,
      failures: failures, rest: rest, last: last, isAsked: isAsked)
  }

  private func draw(_ dialog: inout SourcesDialog, columns: Int = 80, rows: Int = 24) -> String {
    var canvas = Canvas(size: CellSize(columns: columns, rows: rows))
    dialog.draw(into: &canvas)
    return canvas.text
  }

  @Test func `the hidden cursor rests on the selected source`() throws {
    var dialog = SourcesDialog([status("a"), status("b"), status("c")])
    _ = dialog.handle(.down, keys: .standard)
    var canvas = Canvas(size: CellSize(columns: 80, rows: 24))
    dialog.draw(into: &canvas)
    let point = try #require(canvas.resting)
    let line = canvas.rows[point.row].dropFirst(point.column).map(\.text).joined()
    #expect(line.hasPrefix("[x] B"))
  }

  @Test func `space switches the selected source, and t tests it`() {
    var dialog = SourcesDialog([status("a"), status("b", isEnabled: false), status("c")])
    #expect(dialog.handle(.character(" "), keys: .standard) == .stay)
    #expect(dialog.takeRequest() == .setEnabled(false, name: "a"))
    #expect(dialog.takeRequest() == nil)
    _ = dialog.handle(.down, keys: .standard)
    _ = dialog.handle(.enter, keys: .standard)
    #expect(dialog.takeRequest() == .setEnabled(true, name: "b"))
    _ = dialog.handle(.character("j"), keys: .standard)
    _ = dialog.handle(.character("t"), keys: .standard)
    #expect(dialog.takeRequest() == .test(name: "c"))
    _ = dialog.handle(.down, keys: .standard)
    #expect(dialog.selected?.id == "c")
    _ = dialog.handle(.home, keys: .standard)
    #expect(dialog.selected?.id == "a")
    for key in [Key.escape, .character("S"), .character("q")] {
      #expect(dialog.handle(key, keys: .standard) == .close)
    }
  }

  @Test func `each source is shown with its state and its last answer, harmless`() {
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    var dialog = SourcesDialog([
      status("a", last: .picture(title: "Wah\u{1B}[2J", at: date)),
      status(
        "b", failures: 3, rest: RequestGate.Rest(wait: .seconds(29), reason: .failures),
        last: .failure("b is down", at: date)),
      status("c", rest: RequestGate.Rest(wait: .seconds(99), reason: .refusal)),
      status("d", isEnabled: false),
      status("e", isReserve: true), status("f", isAsked: true), status("g", failures: 1),
    ])
    let text = draw(&dialog)
    for words in [
      "[x] A", "answers", "Wah", "[x] B", "failed several times; can be asked again in 29 s",
      "b is down",
      "refused to answer; disabled until the next launch", "[ ] D", "switched off",
      "[x] E", "only when no other has a panda", "not asked yet", "being asked", "failed once",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    #expect(!text.contains("\u{1B}"))
    #expect(dialog.countsDown)
  }

  @Test func `a source that was unreachable without a network has no answer`() {
    let failure = SourceRing.Answer.failure(
      "a.example could not be found", at: Date(timeIntervalSince1970: 1))
    #expect(SourceStatusLine.state(status("a", last: failure)) == "no answer")
  }

  @Test(arguments: [(1, 1), (10, 3), (20, 6), (80, 4), (200, 60)])
  func `it draws at any size, and the selection stays in view`(columns: Int, rows: Int) {
    var dialog = SourcesDialog((0..<20).map { status("s\($0)") })
    _ = draw(&dialog, columns: columns, rows: rows)
    for _ in 0..<19 { _ = dialog.handle(.down, keys: .standard) }
    let text = draw(&dialog, columns: columns, rows: rows)
    if columns >= 40, rows >= 4 { #expect(text.contains("[x] S19")) }
  }

  @Test func `the list follows its sources, and the selection stays in it`() {
    var dialog = SourcesDialog([status("a"), status("b")])
    _ = dialog.handle(.down, keys: .standard)
    dialog.statuses = [status("a")]
    #expect(dialog.selected?.id == "a")
    #expect(!dialog.countsDown)
  }
}
