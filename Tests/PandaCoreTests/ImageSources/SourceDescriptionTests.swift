import Foundation
import Testing

@testable import PandaCore

@Suite struct SourceDescriptionTests {
  private func read(_ text: String) throws -> SourceDescription {
    try SourceDescription(JSONValue(Data(text.utf8)))
  }

  @Test func `the built-in sources are read, in their order`() {
    let names = SourceDescription.builtIn.map(\.name)
    #expect(
      names == [
        "commons", "inaturalist", "openverse", "redpanda.club", "some-random-api", "animality",
        "tinyfox",
      ])
    for description in SourceDescription.builtIn {
      #expect(description.addresses.allSatisfy { $0.scheme == "https" }, "\(description.name)")
      #expect(!description.isNamedByUser)
      // Those with a license show only open pictures; the others are used only if none of them can.
      #expect(description.requiresOpenLicense == !description.license.isEmpty)
      #expect((description.weight == 0) == description.license.isEmpty)
    }
    #expect(
      SourceDescription.named("redpanda.club")?.addresses == [
        URL(string: "https://image.redpanda.club/random/json")!
      ])
    let commons = SourceDescription.named("commons")
    #expect(commons?.limits.connections ?? 9 <= 3)
    #expect(commons?.addresses.count == 1 && commons?.fallback.count == 3)
  }

  @Test func `a user's own description needs an address and a picture`() throws {
    let least = try read(#"{"name": "zoo", "address": "http://127.0.0.1:8080/x", "picture": "/u"}"#)
    #expect(least.isNamedByUser && !least.requiresOpenLicense && least.label == "zoo")
    let whole = try read(
      """
      {"name": "zoo.example", "label": "Zoo", "homePage": "https://zoo.example/about",
       "address": ["https://zoo.example/a", "https://zoo.example/b"], "list": ["/a", "/b"],
       "picture": ["/x", "2/y"], "title": "/t", "credit": "/c", "license": "/l",
       "licenseVersion": "/v", "page": "/p", "width": "/w", "height": "/h", "type": "/m",
       "replace": {"text": "s.jpg", "by": "l.jpg"}, "relative": true, "html": true,
       "licenses": "any", "next": {"parameter": "page", "first": 0, "last": 5},
       "fallback": "https://zoo.example/c", "start": "from", "warning": "/w", "description": "/d",
       "limits": {"requestsPerMinute": 10, "connections": 1, "listsPerHour": 2,
                  "withoutContact": 5, "domain": "zoo.example"}, "weight": 5}
      """)
    #expect(whole.addresses.count == 2 && whole.list.map(\.description) == ["/a", "/b"])
    #expect(whole.picture.map(\.description) == ["/x", "2/y"])
    #expect(whole.replacement == SourceDescription.Replacement(text: "s.jpg", other: "l.jpg"))
    #expect(whole.paging == .number(parameter: "page", first: 0, last: 5))
    #expect(whole.allowsRelativeAddresses && whole.isHTML && !whole.requiresOpenLicense)
    #expect(whole.limits.listsPerHour == 2 && whole.weight == 5)
    #expect(whole.fallback.count == 1 && whole.start == "from" && whole.about.count == 1)
    #expect(whole.limits.withoutContact == 5 && whole.limits.domain == "zoo.example")
  }

  @Test(arguments: [
    ("5", "a source must be an object in braces"),
    ("{}", #""name" is missing"#),
    (#"{"name": "Zoo"}"#, #""name" must be 1 to 40 lowercase letters"#),
    (#"{"name": "../zoo"}"#, #""name" must be 1 to 40 lowercase letters"#),
    (#"{"name": "z"}"#, #""address" is missing"#),
    (#"{"name": "z", "address": "file:///etc/passwd"}"#, "must be an http or https address"),
    (#"{"name": "z", "address": "https://me:secret@x/"}"#, "without a user name"),
    (#"{"name": "z", "address": []}"#, #""address" must be a text or a list"#),
    (#"{"name": "z", "address": "https://x"}"#, #""picture" must say where"#),
    (#"{"name": "z", "address": "https://x", "picture": "url"}"#, "must be a JSON Pointer"),
    (#"{"name": "z", "address": "https://x", "picture": 5}"#, "must be a text or a list"),
    (#"{"name": "z", "command": "rm"}"#, #""command" is not a member of a source"#),
    (
      #"{"name": "z", "address": "https://x", "picture": "/u", "html": 1}"#, "must be true or false"
    ),
    (
      #"{"name": "z", "address": "https://x", "picture": "/u", "licenses": "open"}"#,
      #"cannot be "open" without "license""#
    ),
    (#"{"name": "z", "address": "https://x", "picture": "/u", "weight": 101}"#, "from 0 to 100"),
    (
      #"{"name": "z", "address": "https://x", "picture": "/u", "limits": {"connections": 50}}"#,
      #""connections" must be from 1 to 6"#
    ),
    (
      #"{"name": "z", "address": "https://x", "picture": "/u", "next": {"first": 1}}"#,
      #""next" must have either"#
    ),
    (
      #"{"name": "z", "address": "https://x", "picture": "/u", "replace": {"text": ""}}"#,
      #""replace" must have a "text""#
    ),
  ])
  func `a problem is described in a sentence`(text: String, sentence: String) throws {
    let error = try #require(throws: SourceDescriptionError.self) { try read(text) }
    #expect(error.description.contains(sentence), "\(error)")
    #expect(!error.description.contains("secret"))
  }

  @Test(arguments: [
    ("http://192.168.0.1/admin", false), ("https://localhost/x", false), ("http://[::1]/x", false),
    ("http://zoo.example/x", true), ("https://127.0.0.1:8080/x", true), ("javascript:x", false),
  ])
  func `a page in a private network is left out, unless its host was named`(
    page: String, isKept: Bool
  ) throws {
    let asked = try #require(URL(string: "http://127.0.0.1:8080/list"))
    var zoo = try read(
      #"{"name": "zoo", "address": "\#(asked)", "picture": "/u", "page": "/p", "relative": true}"#)
    let reply = try answer(#"{"u": "/a.png", "p": "\#(page)"}"#)
    let reader = ListReader(description: zoo, base: try HTTPAddress(asked), asked: asked)
    #expect((reader.read(reply).candidates.first?.page != nil) == isKept)
    zoo.isNamedByUser = false
    let other = ListReader(description: zoo, base: try HTTPAddress(asked), asked: asked)
    #expect(
      (other.read(reply).candidates.first?.page != nil) == (isKept && page.contains("zoo.example")))
  }

  // MARK: Paging

  private func answer(_ text: String) throws -> JSONValue {
    try JSONValue(Data(text.utf8))
  }

  @Test func `pages are counted from first to last, then start over`() throws {
    var openverse = try #require(SourceDescription.named("openverse"))
    openverse.paging = .number(parameter: "page", first: 1, last: 2)
    var listing = SourceListing(id: "openverse")
    #expect(listing.nextAddress(openverse).absoluteString.hasSuffix("&page=1"))
    listing.advance(past: JSONValue(.null), isEmpty: false, openverse)
    #expect(listing.nextAddress(openverse).absoluteString.hasSuffix("&page=2"))
    listing.advance(past: JSONValue(.null), isEmpty: false, openverse)
    #expect(listing.nextAddress(openverse).absoluteString.hasSuffix("&page=1"))
    listing.advance(past: JSONValue(.null), isEmpty: false, openverse)
    listing.advance(past: JSONValue(.null), isEmpty: true, openverse)
    #expect(listing.nextAddress(openverse).absoluteString.hasSuffix("&page=1"))
  }

  @Test func `MediaWiki's continuation is sent back whole, then the next category follows`()
    throws
  {
    var commons = try #require(SourceDescription.named("commons"))
    (commons.addresses, commons.fallback, commons.start) = (commons.fallback, [], nil)
    var listing = SourceListing(id: "commons")
    listing.advance(
      past: try answer(#"{"continue": {"gcmcontinue": "file|4a&x", "continue": "gcmcontinue||"}}"#),
      isEmpty: false, commons)
    #expect(
      listing.nextAddress(commons).absoluteString
        == commons.addresses[0].absoluteString
        + "&continue=gcmcontinue%7C%7C&gcmcontinue=file%7C4a%26x")
    listing.advance(past: try answer("{}"), isEmpty: false, commons)
    #expect(listing.nextAddress(commons) == commons.addresses[1])
    // A category that does not exist.
    listing.advance(past: try answer(#"{"batchcomplete": true}"#), isEmpty: true, commons)
    #expect(listing.nextAddress(commons) == commons.addresses[2])
    listing.advance(
      past: try answer(#"{"continue": {"x": "\#(String(repeating: "y", count: 9999))"}}"#),
      isEmpty: false, commons)
    #expect(listing.nextAddress(commons) == commons.addresses[0])
  }

  @Test func `the fallback takes one turn after an answer without entries`() throws {
    let commons = try #require(SourceDescription.named("commons"))
    var listing = SourceListing(id: "commons")
    func address() -> String { listing.nextAddress(commons) { _ in 25 }.absoluteString }
    #expect(listing.nextAddress(commons) == commons.addresses[0])
    listing.advance(past: try answer(#"{"continue": {"gsroffset": 50}}"#), isEmpty: false, commons)
    #expect(listing.nextAddress(commons) == commons.addresses[0] && listing.isUntouched)
    listing.advance(past: try answer("{}"), isEmpty: false, isPartial: true, commons)
    #expect(address() == commons.fallback[0].absoluteString + "&gcmstartsortkeyprefix=Z")
    // A category that does not exist leads to the next one.
    listing.advance(past: try answer("{}"), isEmpty: true, commons)
    #expect(address() == commons.fallback[1].absoluteString + "&gcmstartsortkeyprefix=Z")
    listing.advance(
      past: try answer(#"{"continue": {"gcmcontinue": "file|4a"}}"#), isEmpty: false, commons)
    #expect(listing.nextAddress(commons) == commons.addresses[0])
    listing.beginElsewhere(commons)
    #expect(address() == commons.fallback[1].absoluteString + "&gcmcontinue=file%7C4a")
    listing.beginElsewhere(commons)
    #expect(listing.nextAddress(commons) == commons.addresses[0])
  }

  @Test func `a token of the answer continues the list`() throws {
    var zoo = try read(#"{"name": "zoo", "address": "https://zoo.example", "picture": "/u"}"#)
    zoo.paging = .token(try #require(JSONPointer("/next")), parameter: "after")
    var listing = SourceListing(id: "zoo")
    listing.advance(past: try answer(#"{"next": 17}"#), isEmpty: false, zoo)
    #expect(listing.nextAddress(zoo).absoluteString.hasSuffix("?after=17"))
    listing.advance(past: try answer(#"{"next": null}"#), isEmpty: false, zoo)
    #expect(listing.nextAddress(zoo) == zoo.addresses[0])
  }
}
