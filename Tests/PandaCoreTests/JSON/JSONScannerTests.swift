import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore

@Suite struct JSONScannerTests {
  private func read(_ text: String) throws(JSONError) -> JSONValue? {
    var scanner = JSONScanner(text, keepsInvalid: true)
    return try scanner.scan()
  }

  private func members(_ text: String) throws -> [String: JSONValue] {
    try #require(try read(text)?.members)
  }

  private func failure(_ text: String) -> JSONError? {
    do throws(JSONError) {
      _ = try read(text)
      return nil
    } catch {
      return error
    }
  }

  // MARK: JSON

  @Test(arguments: [
    ("-0.5e+1", "-5"), ("0", "0"), ("10E-1", "1"), ("0.5", "0.5"), ("null", "null"),
    (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\udc3c""#, #""a\"\\/\u0008\u000c\n\u000d\té🐼""#),
    (" { \"a\" : [ ] , \"b\" : { } } ", #"{"a":[],"b":{}}"#), ("\u{FEFF}[null]", "[null]"),
    (#"{"b": 1, "a": 1, "a": 2}"#, #"{"a":2,"b":1}"#), ("\"\"", "\"\""), ("[1,]", "[1]"),
    (#"{"a":1 , }"#, #"{"a":1}"#), ("[1,[true,false]]", "[1,[true,false]]"),
    ("\"\u{202E}\u{7F}\u{85}\"", #""\u202e\u007f\u0085""#),
  ])
  func `JSON is read, and written in one line that acts on no terminal`(
    text: String, written: String
  ) throws {
    #expect("\(try JSONValue(Data(text.utf8)))" == written)
  }

  @Test func `every text is read as it was written`() throws {
    for text in HostileText.all {
      #expect(try read("\(JSONValue(.text(text)))")?.text?.utf8.elementsEqual(text.utf8) == true)
    }
  }

  @Test(arguments: [
    "", " ", "\u{FEFF}", "01", "-", "1e", "0x", "NaN", "tru", "nulll", "[,]", "[1,,]", "[,1]",
    "[1 2]", "{\"a\"}", "{\"a\":}", "{,}", "{\"a\":1,,}", "[1]]", "\"a", "\"\n\"", "<html>", "// a",
    #""\q""#, #""\u12g4""#, #""\u12""#, #""\x1""#, #""\01""#, #""\ud83d""#, #""\ud83dx""#,
    #""\ud83d\u0041""#, #""\udc3c""#, #""\u１２３４""#,
  ])
  func `a document that is not JSON5 is refused`(text: String) {
    #expect(throws: JSONError.self) { try JSONValue(Data(text.utf8)) }
  }

  @Test(arguments: [
    [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0xFF, 0xFE, 0x31, 0],
  ])
  func `text that is not UTF-8 is refused`(bytes: [UInt8]) {
    #expect(throws: JSONError.self) { try JSONValue(Data(bytes)) }
  }

  @Test func `a member is missing, or of another type, or null like an absent one`() throws {
    let value = try JSONValue(Data("{ a: 1, b: null, c: ['x'],\n d: 'x' }".utf8))
    #expect(try value.member("a", as: \.integer) == 1)
    #expect(try value.member("c", as: \.texts) == ["x"])
    #expect(try value.optionalMember("b", as: \.integer) == nil)
    #expect(try value.optionalMember("e", as: \.integer) == nil)
    #expect(throws: JSONError(line: 2, reason: "d has the wrong type")) {
      try value.optionalMember("d", as: \.texts)
    }
    #expect(throws: JSONError(line: 1, reason: "e is missing")) {
      try value.member("e", as: \.flag)
    }
  }

  // MARK: Limits

  // JSONDecoder reads the byte after the bracket, and ends the process.
  @Test(arguments: [511, 512, 513, 514])
  func `fault 17: brackets that are nested too deeply, and never closed, are refused`(count: Int) {
    #expect(failure(String(repeating: "[", count: count)) != nil)
    #expect(failure(String(repeating: #"{"a":"#, count: count - 1) + "[") != nil)
  }

  @Test func `fault 17: 512 levels are read, and no more`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(try read(nested(512)) != nil)
    #expect(failure(nested(513))?.reason.contains("512 deep") == true)
    #expect(failure(String(repeating: "{a:", count: 100_000))?.reason.contains("512 deep") == true)
  }

  @Test func `fault 17: a megabyte of nested values parses in linear time`() throws {
    let deep = String(repeating: #"{"a":"#, count: 400) + "1" + String(repeating: "}", count: 400)
    let text = "[" + String(repeating: deep + ",", count: 400) + "1]"
    let start = ContinuousClock.now
    #expect(try read(text)?.elements?.count == 401)
    // JSONDecoder takes minutes for a quarter of it.
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  // MARK: JSON5

  @Test func `values have lines, and names that stand again`() throws {
    let text = """
      // Comment
      { a: 1, "b": /* of
      two lines */ 'x',
        'c'
        :
        [ 1,
          { d: true, a: 1 }, ], a: 2,
        a: 3
      }
      """
    var scanner = JSONScanner(text)
    let members = try #require(try scanner.scan()?.members)
    #expect(members.mapValues(\.line) == ["a": 8, "b": 3, "c": 6])
    #expect(members["a"]?.integer == 3 && members["b"]?.text == "x")
    #expect(members["c"]?.elements?.map(\.line) == [6, 7])
    #expect(scanner.repetitions.map(\.name) == ["a", "a"])
    #expect(scanner.repetitions.map(\.line) == [7, 8])
    #expect(scanner.repetitions.map(\.earlierLine) == [2, 7])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `every end of a line counts once`(_ end: String) throws {
    let text = ["{", "// x", "a: 1,", "", "b: 'x\\", "y',", "c: 2 }"].joined(separator: end)
    let members = try members(text)
    #expect(members.mapValues(\.line) == ["a": 3, "b": 5, "c": 7])
    #expect(members["b"]?.text == "xy")
  }

  @Test(arguments: ["", " \n\t", "// x", "/* x */ // y\n", "\u{FEFF}", "\u{A0}\u{2003}\u{2028}"])
  func `blanks and comments are ignored`(_ text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test func `strings may contain any character`() throws {
    let members = try members(
      #"{"a}": '{"[],:// /* \' ', '\u0062': "\"\x41\v\0", \u0063: 1, _$é: .5, "": 2}"#)
    #expect(members.keys.sorted() == ["", "_$é", "a}", "b", "c"])
    #expect(members["a}"]?.text == #"{"[],:// /* ' "#)
    #expect(members["b"]?.text == "\"A\u{B}\0")
  }

  @Test(arguments: ["tru", "'\\q'", "01"])
  func `what is no value is kept as it was written, for its reader`(word: String) throws {
    #expect(try members("{ a: \(word), b: 1 }")["a"]?.content == .invalid(word))
  }

  @Test(arguments: [
    ("{", 1, "no }"), ("{\n\n", 1, "no }"), ("{ a: 1\n  b: 2 }", 2, "comma or } is missing"),
    ("{ a: 1\n", 1, "} is missing"), ("{ a 1 }", 1, "colon"), ("{\n a: }", 2, "value"),
    ("{ a:\n\n", 1, "value"), ("{ , }", 1, "name"), ("{ a: 1,, }", 1, "name"),
    ("{ : 1 }", 1, "name"),
    ("[1\n2]", 2, "comma or ] is missing"), ("[,]", 1, "value"), ("{ a: 'x\n' }", 1, "quote"),
    ("{\n a: 'x", 2, "quote"), ("{ a: '\\", 1, "quote"), ("{\n'a", 2, "quote"),
    ("{ a: 1 }\n\n}", 3, "end"), ("{} {}", 1, "end"), ("{\n/* x\n\n", 2, "comment"),
    ("{\n\n\"\\q\": 1 }", 3, "\\"), ("}", 1, "value"), ("{ a: [1, 2 }", 1, "]"),
    ("{\n a: {\n  b: 1\n", 3, "line 2"),
  ])
  func `a syntax error has its line and reason`(_ text: String, _ line: Int, _ reason: String)
    throws
  {
    let error = try #require(failure(text))
    #expect(error.line == line)
    #expect(error.reason.contains(reason), "\(error.reason)")
  }

  @Test func `scanning any text terminates`() {
    var generator = SystemRandomNumberGenerator()
    let pieces = [
      "{", "}", "[", "]", ":", ",", "\"", "'", "\\", "/", "*", "//", "/*", "*/", "\n", "\r", "a",
      "1",
      "é", " ", "\u{2028}", "true",
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...30, using: &generator)
      let text = (0..<count).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }
      .joined()
      let lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).count
      if let error = failure(text) { #expect((1...lines).contains(error.line), "\(text)") }
    }
  }

  @Test(arguments: [
    ("5", 5), ("+5", 5), ("-5", -5), ("0", 0), ("-0", 0), ("0x10", 16), ("-0XfF", -255),
    ("1e1", 10),
    ("5.0", 5), ("5.", 5), (".5e1", 5), ("9007199254740992", 9_007_199_254_740_992),
  ])
  func `an integer may be written in every way of JSON5`(word: String, number: Int) throws {
    #expect(try read(word)?.integer == number)
  }

  // Foundation's decoder traps on some of these.
  @Test(arguments: [
    "0x0x", "1e+", "1e-", "1e", "0x", "0x+1", "+", "-", ".", "--1", "+-1", "01", "1.5", "1_0", "1n",
    "NaN", "Infinity", "-Infinity", "inf", "nan", "1e999", "99999999999999999999", "0b1", "٣",
    "1..2",
    "51111111110000000000000000831144565", "0xFFFFFFFFFFFFFFFFFF", "true", "null",
  ])
  func `fault 67: a word that is not an integer is refused, without a crash`(word: String) throws {
    #expect(try read(word)?.integer == nil)
  }
}
