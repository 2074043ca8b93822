import Foundation
import Testing

@testable import PandaCore

@Suite struct JSONPointerTests {
  /// The document of RFC 6901, 5.
  private static let document = """
    {"foo": ["bar", "baz"], "": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\\\j": 5,
     "k\\"l": 6, " ": 7, "m~n": 8}
    """

  private func decode(_ text: String) throws -> JSONValue {
    try JSONValue(Data(text.utf8))
  }

  @Test(
    arguments: [
      ("/foo/0", "\"bar\""), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
      ("/g|h", "4"), ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"),
      ("/foo", #"["bar","baz"]"#),
    ])
  func `the examples of RFC 6901 are found`(text: String, expected: String) throws {
    let root = JSONPosition(root: try decode(Self.document))
    #expect(JSONPointer(text)?.resolve(at: root)?.value.description == expected)
    #expect(JSONPointer("")?.resolve(at: root)?.value == root.value)
  }

  @Test(arguments: ["/foo/2", "/foo/-", "/foo/01", "/foo/bar", "/foo/+1", "/x", "/foo/0/x", "1"])
  func `a missing value is not found`(text: String) throws {
    let root = JSONPosition(root: try decode(Self.document))
    #expect(try #require(JSONPointer(text)).resolve(at: root) == nil)
  }

  @Test(arguments: ["foo", "#/foo", "/m~n", "/m~", "0#", "01/x", "-1", "0+1/x", "100/x", "٣/x"])
  func `an invalid pointer is refused`(text: String) {
    #expect(JSONPointer(text) == nil)
  }

  @Test func `a relative pointer goes up, as in its draft`() throws {
    let root = JSONPosition(
      root: try decode(#"{"results": [{"uri": "https://a", "photos": [{"id": 7}]}]}"#))
    let photo = try #require(JSONPointer("/results/0/photos/0")?.resolve(at: root))
    func find(_ text: String) -> JSONValue? { JSONPointer(text)?.resolve(at: photo)?.value }
    #expect(find("0/id")?.integer == 7)
    #expect(find("/id")?.integer == 7)
    #expect(find("1/0/id")?.integer == 7)
    #expect(find("2/uri")?.text == "https://a")
    #expect(find("4/results/0/uri")?.text == "https://a")
    #expect(find("5/results") == nil)
  }

  @Test func `the members of an object are sorted by name`() throws {
    let place = JSONPosition(root: try decode(#"{"b": 2, "a": 1, "c": 3}"#))
    #expect(place.children.map(\.value.integer) == [1, 2, 3])
  }

  @Test func `a megabyte of members is read`() throws {
    let members = (0..<60_000).map { "\"k\($0)\":[]" }.joined(separator: ",")
    #expect(try decode("{\(members)}").members?.count == 60_000)
  }
}

@Suite struct PlainTextTests {
  @Test(arguments: [
    (##"<a href="//commons.wikimedia.org/wiki/User:X">X</a>"##, "X"),
    ("Tom &amp; Jerry&#39;s &quot;caf&eacute;&quot;", "Tom & Jerry's \"café\""),
    ("I <3 pandas, 2 < 3 > 1", "I <3 pandas, 2 < 3 > 1"),
    ("<p>One</p><p>Two<br>Three</p>", "One Two Three"),
    (##"<a title="a > b">in</a> quotes"##, "in quotes"),
    ("<script>alert(1)</script>after<style>p { }</style>.", "after."),
    ("a <!-- <b>no</b> --> c", "a c"), ("&#x1F43C;&#128060;", "🐼🐼"),
    ("&#0;&#xD800;&unknown;&", "&#0;&#xD800;&unknown;&"), ("<b>bold", "bold"), ("<b", ""),
    (##"Unknown author<span style="Display: none;">Unknown author</span>"##, "Unknown author"),
    (##"<br style="display:none">a"##, "a"),
    ("&lt;b&gt;", "<b>"), ("<SCRIPT>x</Script>y", "y"), ("  \n a\u{A0}b ", "a b"),
  ])
  func `HTML becomes text`(html: String, expected: String) {
    #expect(PlainText.of(html: html) == expected)
  }

  @Test(arguments: ["<", "</script", "<a ", "&", "<!--", "<script>"])
  func `hostile HTML parses in linear time`(piece: String) {
    let html = String(repeating: piece, count: 20_000 / piece.count)
    let start = ContinuousClock.now
    _ = PlainText.of(html: html)
    // Quadratic work on 20,000 characters takes minutes; this takes milliseconds when idle.
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test func `fault 17: end tags after a long hidden element parse in linear time`() {
    let name = String(repeating: "a", count: 10_000)
    let html = "<\(name) style=display:none>" + String(repeating: "</", count: 5_000)
    let start = ContinuousClock.now
    for _ in 0..<20 { #expect(PlainText.of(html: html).isEmpty) }
    // It took a second each, and a reply of a megabyte has fifty.
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}

@Suite struct LicenseNameTests {
  @Test(
    arguments: [
      ("cc-by", nil, "CC BY", true), ("cc0", nil, "CC0", true), ("CC0 1.0", nil, "CC0", true),
      ("by", "2.0", "CC BY 2.0", true), ("by-sa", "4.0", "CC BY-SA 4.0", true),
      ("by-nc", "2.0", "CC BY-NC 2.0", false), ("cc-by-nd", nil, "CC BY-ND", false),
      ("CC BY-SA 4.0", nil, "CC BY-SA 4.0", true), ("CC-BY-SA-3.0", nil, "CC BY-SA 3.0", true),
      ("CC BY-SA 3.0 de", "9", "CC BY-SA 3.0 de", true), ("pdm", "1.0", "Public Domain Mark", true),
      ("Public domain", nil, "Public domain", true), ("GFDL", nil, "GFDL", true),
      ("All rights reserved", nil, "All rights reserved", false), ("by", nil, "CC BY", true),
      ("Fair use", nil, "Fair use", false), ("by the way", nil, "by the way", false),
      ("cc-by-nc-sa-4.0", nil, "CC BY-NC-SA 4.0", false), ("CC", nil, "CC", false),
      ("Attribution", nil, "Attribution", true),
      ("Attribution-NonCommercial 4.0", nil, "Attribution-NonCommercial 4.0", false),
      ("mitten", nil, "mitten", false),
    ] as [(String, String?, String, Bool)])
  func `codes become names, and open ones are known`(
    code: String, version: String?, name: String, isOpen: Bool
  ) {
    let license = LicenseName(code, version: version)
    #expect(license?.text == name)
    #expect(license?.isOpen == isOpen)
  }

  @Test func `an empty or overlong name is rejected`() {
    #expect(LicenseName("") == nil)
    #expect(LicenseName(String(repeating: "a", count: 101)) == nil)
  }
}
