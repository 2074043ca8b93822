import Foundation
import PandaTestSupport
import Pantry
import PictureCodecs
import Testing

@testable import PandaCore

@Suite struct ManifestTests {
  private static func read(
    _ text: String, limits: ExchangeLimits = .standard
  ) throws -> [ManifestEntry] {
    try Manifest(Data(text.utf8), path: "/a", limits: limits).entries
  }

  private static let header = #"{"count":1,"format":"panda-favorites","version":1}"#
  private static let digest = String(repeating: "0a", count: 32)

  /// A line with some members replaced, or removed by nil.
  private static func line(_ changes: KeyValuePairs<String, String?> = [:]) -> String {
    var members = [
      "file": "\"a.png\"", "address": "\"https://a.example/1\"", "sha256": "\"\(digest)\"",
      "byteCount": "5", "width": "4", "height": "3", "createdAt": "\"2026-10-03T14:05:09.25Z\"",
      "source": "\"a.example\"", "tags": "[\"cute\"]",
    ]
    for (key, value) in changes { members[key] = value }
    return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}\n"
  }

  @Test func `hostile text is read back byte by byte, in order`() throws {
    let images = HostileText.all.enumerated().map { number, text in
      RemoteImage.sample(number, title: text, caption: text, tags: [text, "#\(text)"])
    }
    let entries = images.enumerated().map { ManifestEntry($1, file: "\($0).png") }
    let data = Manifest(entries).data
    #expect(data.count { $0 == 0x0A } == images.count + 1)
    let read = try Manifest(data, path: "/a", limits: .standard).entries
    #expect(read == entries)
    for (image, entry) in zip(images, read) {
      for (one, other) in [
        (image.title, entry.title), (image.caption, entry.caption),
        (image.tags.first, entry.tags?.first), (image.tags.last, entry.tags?.last),
      ] {
        #expect(one?.utf8.elementsEqual(other?.utf8 ?? "".utf8) == true, "\(one.debugDescription)")
      }
    }
    #expect(Manifest(read).data == data)
  }

  @Test func `the format is as documented`() throws {
    let entries = try Self.read(Self.header + "\n" + Self.line(["future": "{\"a\":[1]}"]))
    let size = PixelSize(width: 4, height: 3)
    let image = try #require(entries.first?.image(Pantry.Attachment(Data()), size))
    #expect(image.id == "https://a.example/1")
    #expect(image.createdAt == ExactDate.date("2026-10-03T14:05:09.25Z"))
    #expect(image.tags == ["cute"] && image.caption == nil && image.savedAt == nil)
    #expect(
      String(decoding: Manifest([]).data, as: UTF8.self)
        == "{\"count\":0,\"format\":\"panda-favorites\",\"version\":1}\n")
  }

  @Test(arguments: [
    "", "\n", "[]\n", "{}\n", "null\n", "panda\n",
    #"{"count":0,"format":"other","version":1}"# + "\n",
    "\u{FEFF}{}\n", #"{"count":"0","format":"panda-favorites","version":1}"# + "\n",
  ])
  func `a file of another program is not a list of favorites`(_ text: String) {
    let error = #expect(throws: ExchangeError.self) { try Self.read(text) }
    #expect(error?.kind == .line(1, "it does not start a list of favorites"))
  }

  @Test func `a newer version is refused by its number`() {
    let text = #"{"count":1,"format":"panda-favorites","version":2}"# + "\nwhatever\n"
    let error = #expect(throws: ExchangeError.self) { try Self.read(text) }
    #expect(error?.kind == .newer(version: 2, supported: 1))
  }

  @Test(arguments: [
    "", Self.line() + Self.line(["file": "\"b.png\"", "address": "\"https://a.example/2\""]),
    String(Self.line().dropLast()), Self.line() + "\n",
  ])
  func `a list that was cut or extended is refused`(_ lines: String) {
    let error = #expect(throws: ExchangeError.self) { try Self.read(Self.header + "\n" + lines) }
    #expect(error?.description.contains("the list announces 1 and has ") == true)
  }

  @Test(
    arguments: [
      (["file": nil], "file is missing"), (["file": "1"], "file has the wrong type"),
      (["tags": "\"cute\""], "tags has the wrong type"),
      (["tags": "[1]"], "tags has the wrong type"),
      (["file": "\"../a\""], "file is not a file name"),
      (["file": "\"/etc/passwd\""], "file is not a file name"),
      (["file": "\"a\\u0000.png\""], "file is not a file name"),
      (["file": "\"favorites.ndjson\""], "file is not a file name"),
      (["address": "\"\""], "address is not one"),
      (["address": "\"http://[\""], "address is not one"),
      (["sha256": "\"00\""], "sha256 is not a digest"),
      (["sha256": "\"\(Self.digest.uppercased())\""], "sha256 is not a digest"),
      (["createdAt": "\"yesterday\""], "createdAt is not a date"),
      (["savedAt": "\"2026-02-30T00:00:00Z\""], "savedAt is not a date"),
      (["byteCount": "1e999"], "byteCount has the wrong type"),
    ] as [(KeyValuePairs<String, String?>, String)])
  func `a line that is not a favorite is refused with its number and reason`(
    _ changes: KeyValuePairs<String, String?>, _ problem: String
  ) {
    let error = #expect(throws: ExchangeError.self) {
      try Self.read(Self.header + "\n" + Self.line(changes))
    }
    #expect(error?.kind == .line(2, problem))
  }

  @Test func `a line that is not JSON says why`() {
    let error = #expect(throws: ExchangeError.self) {
      try Self.read(Self.header + "\n{\"title\": \"\u{1B}[2J}\n")
    }
    #expect(error?.kind == .line(2, "a quote is not closed"))
  }

  @Test func `two lines cannot name the same picture or file`() {
    let header = Self.header.replacing("1,", with: "2,", maxReplacements: 1)
    for second in [["file": "\"b.png\""], ["address": "\"https://a.example/2\""]]
      as [KeyValuePairs<String, String?>]
    {
      let text = header + "\n" + Self.line() + Self.line(second)
      let error = #expect(throws: ExchangeError.self) { try Self.read(text) }
      #expect(error?.kind == .line(3, "an earlier line has it too"))
    }
  }

  @Test func `limits are checked before anything is decoded`() {
    var limits = ExchangeLimits.standard
    limits.lineBytes = 100
    #expect(throws: ExchangeError(.line(2, "it is too long"), path: "/a")) {
      try Self.read(Self.header + "\n" + Self.line(), limits: limits)
    }
    limits.entries = 0
    #expect(throws: ExchangeError(.tooManyEntries(limit: 0), path: "/a")) {
      try Self.read(Self.header + "\n" + Self.line(), limits: limits)
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: ExchangeError.self) {
      try Self.read(Self.header + "\n" + Self.line(["future": deep]))
    }
  }
}
