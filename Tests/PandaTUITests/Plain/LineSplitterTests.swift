import Testing

@testable import PandaShell

@Suite struct LineSplitterTests {
  /// All lines of bytes that come in pieces of this size.
  private func lines(_ bytes: [UInt8], piece: Int) -> [LineSplitter.Line] {
    var splitter = LineSplitter()
    var lines: [LineSplitter.Line] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      splitter.append(bytes[start..<min(start + piece, bytes.count)])
      while let line = splitter.next() { lines.append(line) }
    }
    if let rest = splitter.finish() { lines.append(rest) }
    return lines
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `lines are the same however the input is split`(_ piece: Int) {
    #expect(
      lines(Array("fetch\r\n\npändä 🐼\nquit".utf8), piece: piece)
        == [.text("fetch"), .text(""), .text("pändä 🐼"), .text("quit")])
    #expect(lines([], piece: piece) == [])
    #expect(lines([10], piece: piece) == [.text("")])
  }

  @Test func `invalid UTF-8 is repaired`() {
    #expect(
      lines([0x61, 0xFF, 0x62, 10, 0xF0, 0x9F], piece: 1) == [
        .text("a\u{FFFD}b"), .text("\u{FFFD}"),
      ])
  }

  @Test(arguments: [1_000, 65_536, 300_000])
  func `a line beyond the limit is left out, and the next one is read`(_ piece: Int) {
    let limit = LineSplitter.byteLimit
    let full = [UInt8](repeating: 0x78, count: limit)
    #expect(
      lines(full + [13, 10] + full + [0x78, 10] + full + full + full + [10, 0x71], piece: piece)
        == [.text(String(repeating: "x", count: limit)), .tooLong, .tooLong, .text("q")])
    #expect(lines(full + full, piece: piece) == [.tooLong])
  }
}
