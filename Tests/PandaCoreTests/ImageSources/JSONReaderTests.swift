import Foundation
import Testing

@testable import PandaCore

@Suite struct JSONReaderTests {
  private func read(_ text: String) -> JSONValue? { JSONReader.value(of: Data(text.utf8)) }

  @Test(
    arguments: [
      ("-0.5e+1", .number(-5)), ("0", .number(0)), ("10E-1", .number(1)), ("1e400", .null),
      (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\udc3c""#, .string("a\"\\/\u{8}\u{C}\n\r\té🐼")),
      (" { \"a\" : [ ] , \"b\" : { } } ", .object(["a": .array([]), "b": .object([:])])),
      (#"{"a": 1, "a": 2}"#, .object(["a": .number(1)])), ("\u{FEFF}[null]", .array([.null])),
      ("\"\"", .string("")), ("[1,]", .array([.number(1)])),
      ("{\"a\":1 , }", .object(["a": .number(1)])),
      ("[1,[true,false]]", .array([.number(1), .array([.bool(true), .bool(false)])])),
    ] as [(String, JSONValue)])
  func `strict JSON is read`(text: String, expected: JSONValue) {
    #expect(read(text) == expected)
  }

  @Test(arguments: [
    "", " ", "\u{FEFF}", "01", "-", "+1", ".5", "1.", "1e", "0x1", "NaN", "tru", "nulll", "'a'",
    "[,]", "[1,,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{,}", "{\"a\":1,,}", "{a:1}", "[1]]",
    "\"a", "\"\n\"",
    #""\x""#, #""\u12g4""#, #""\ud83d""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\udc3c""#,
    "// a\n1",
  ])
  func `anything else is refused`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `text that is not UTF-8 is refused`() {
    #expect(JSONReader.value(of: Data([0x22, 0xC0, 0xAF, 0x22])) == nil)
    #expect(JSONReader.value(of: Data([0x22, 0xED, 0xA0, 0x80, 0x22])) == nil)
    #expect(JSONReader.value(of: Data([0xFF, 0xFE, 0x31, 0x00])) == nil)
  }

  // JSONDecoder reads the byte after the bracket, and ends the process.
  @Test(arguments: [511, 512, 513, 514])
  func `fault 17: brackets that are nested too deeply, and never closed, are refused`(count: Int) {
    #expect(read(String(repeating: "[", count: count)) == nil)
    #expect(read(String(repeating: #"{"a":"#, count: count - 1) + "[") == nil)
  }

  @Test func `fault 17: 512 levels are read, and no more`() {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(read(nested(512)) != nil)
    #expect(read(nested(513)) == nil)
  }

  @Test func `fault 17: a megabyte of nested values parses in linear time`() {
    let deep = String(repeating: #"{"a":"#, count: 400) + "1" + String(repeating: "}", count: 400)
    let text = "[" + String(repeating: deep + ",", count: 400) + "1]"
    let start = ContinuousClock.now
    #expect(read(text)?.elements?.count == 401)
    // JSONDecoder takes minutes for a quarter of it.
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
