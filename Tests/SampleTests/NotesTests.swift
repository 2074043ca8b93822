import Foundation
import PandaTestSupport
import Testing

/// The command-line sample, for real.
@Suite struct NotesTests {
  private let home = TemporaryDirectory()

  private func notes(_ words: String..., status: Int32 = 0) throws -> String {
    let result = try Subprocess.run(
      [BuildProducts.path(of: "notes")] + words, environment: ["HOME=\(home.url.path)"])
    #expect(result.status == status, "\(words): \(result.output)")
    return result.output
  }

  @Test func `notes are kept from one run to the next`() throws {
    #expect(try notes() == "")
    #expect(try notes("add", "Buy bamboo") == "")
    #expect(try notes("add", "Sleep") == "")
    #expect(try notes() == "1 Buy bamboo\n2 Sleep\n")
    #expect(try notes("remove", "1") == "")
    #expect(try notes() == "1 Sleep\n")
  }

  @Test func `a failure has a user message`() throws {
    for number in ["0", "1", "-9223372036854775808", "one"] {
      #expect(try notes("remove", number, status: 1) == "notes: there is no note \(number)\n")
    }
    for words in [["add"], ["add", "two", "words"], ["help"]] {
      let result = try Subprocess.run(
        [BuildProducts.path(of: "notes")] + words, environment: ["HOME=\(home.url.path)"])
      #expect(result.status == 64 && result.output.hasPrefix("notes: usage: "), "\(words)")
    }
  }

  @Test func `a place that cannot be used is an error`() throws {
    try Data("a file".utf8).write(to: home.url.appending(path: ".local"))
    #expect(try notes("add", "Sleep", status: 1).contains(".local"))
  }
}
