import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import PandaSession
@testable import TerminalKit

@Suite struct BrowserTests {
  private static let local = TerminalEnvironment(["TERM": "xterm"])

  /// Writes an xdg-open that records its arguments, one a line, and then does what it is told.
  private func fakeOpener(_ rest: String, in directory: TemporaryDirectory) throws -> SearchPath {
    _ = try directory.writeScript(
      "xdg-open", "for word; do echo \"$word\"; done > \(directory.path("words"))\n\(rest)")
    return SearchPath(directory.url.path(percentEncoded: false))
  }

  private func address(_ text: String) throws -> WebAddress {
    let url = try #require(URL(string: text))
    return try #require(WebAddress(url))
  }

  @Test func `web addresses are opened, and copied over ssh`() throws {
    let url = try #require(URL(string: "https://redpanda.club/1?a=b&c=d"))
    let address = try #require(WebAddress(url))
    #expect(Browser.decision(for: url, named: [], environment: Self.local) == .open(address))
    for name in ["SSH_CONNECTION", "SSH_TTY"] {
      let remote = TerminalEnvironment(["TERM": "xterm", name: "x"])
      #expect(Browser.decision(for: url, named: [], environment: remote) == .copy(address))
    }
  }

  @Test(arguments: [
    "panda://grove/7", "/etc/passwd", "--help", "https://me:secret@redpanda.club/",
    "http://192.168.0.1/",
  ])
  func `fault 113: nothing else is opened or copied, whatever it came by`(_ text: String) throws {
    let url = try #require(URL(string: text))
    for environment in [Self.local, TerminalEnvironment(["SSH_TTY": "x"])] {
      #expect(Browser.decision(for: url, named: [], environment: environment) == .refuse)
    }
    let source = try #require(URL(string: "http://192.168.0.1/api"))
    guard url.host() == source.host() else { return }
    let address = try #require(WebAddress(url, named: [source]))
    #expect(
      Browser.decision(for: url, named: [source], environment: Self.local) == .open(address))
  }

  @Test func `an address is one word of ASCII`() throws {
    #expect(try address("HTTPS://redpanda.club/").description == "https://redpanda.club/")
    for text in ["https://redpanda.club/a b\nc", "https://redpanda.club/ü\u{202E}"] {
      guard let url = URL(string: text), let address = WebAddress(url) else { continue }
      #expect(address.description.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F })
    }
  }

  @Test func `xdg-open receives the address as its only argument`() async throws {
    let directory = TemporaryDirectory()
    let path = try fakeOpener("exit 0", in: directory)
    let text = "https://redpanda.club/$(reboot);`reboot`'&a=$HOME|*"
    guard let url = URL(string: text), let address = WebAddress(url) else {
      Issue.record("the address is refused")
      return
    }
    #expect(await Browser.open(address, searchPath: path, patience: .seconds(60)) == .opened)
    let words = try String(contentsOfFile: directory.path("words"), encoding: .utf8)
    #expect(words == address.description + "\n")
  }

  @Test func `a failure of xdg-open is reported`() async throws {
    let address = try address("https://redpanda.club/1")
    for (rest, status) in [("exit 4", 4), ("kill -TERM $$", 128 + SIGTERM)] {
      let directory = TemporaryDirectory()
      let path = try fakeOpener(rest, in: directory)
      let outcome = await Browser.open(address, searchPath: path, patience: .seconds(60))
      #expect(outcome == .failed(status))
    }
    let nowhere = SearchPath("/nonexistent")
    #expect(await Browser.open(address, searchPath: nowhere) == .notInstalled)
    #expect(Browser.Outcome.failed(4).sentence.contains("xdg-open ended with 4"))
  }

  @Test func `an xdg-open that keeps running as the browser counts as success`() async throws {
    let directory = TemporaryDirectory()
    let path = try fakeOpener(
      // It ends with its directory, at the latest.
      "while [ -e \(directory.path("xdg-open")) ]; do sleep 0.05; done", in: directory)
    let address = try address("https://redpanda.club/1")
    #expect(await Browser.open(address, searchPath: path, patience: .milliseconds(1)) == .opened)
    try FileManager.default.removeItem(atPath: directory.path("xdg-open"))
  }
}
