internal import Testing

@testable internal import PandaTUI

@Suite struct JSON5ScannerTests {
  func members(_ text: String) throws -> [JSON5Member] {
    guard case .object(let members)? = try JSON5Scanner.value(of: text)?.content else { return [] }
    return members
  }

  func failure(_ text: String) -> JSON5SyntaxError? {
    do {
      _ = try JSON5Scanner.value(of: text)
      return nil
    } catch {
      return error
    }
  }

  @Test func `names and values have lines`() throws {
    let text = """
      // Comment
      { a: 1, "b": /* of
      two lines */ 'x',
        'c'
        :
        [ 1,
          { d: true, }, ],
      }
      """
    let members = try members(text)
    #expect(members.map(\.name) == ["a", "b", "c"])
    #expect(members.map(\.line) == [2, 2, 4])
    #expect(members.map(\.value.line) == [2, 3, 6])
    #expect(members.map { $0.value.integer } == [1, nil, nil])
    #expect(members[1].value.text == "x")
    guard case .array(let elements) = members[2].value.content else {
      Issue.record("no array")
      return
    }
    #expect(elements.map(\.line) == [6, 7])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `every end of a line counts once`(_ end: String) throws {
    let text = ["{", "// x", "a: 1,", "", "b: 'x\\", "y',", "c: 2 }"].joined(separator: end)
    #expect(try members(text).map(\.line) == [3, 5, 7])
    #expect(try members(text).map(\.value.line) == [3, 5, 7])
  }

  @Test(arguments: ["", " \n\t", "// x", "/* x */ // y\n", "\u{FEFF}", "\u{A0}\u{2003}\u{2028}"])
  func `blanks and comments are ignored`(_ text: String) throws {
    #expect(try JSON5Scanner.value(of: text) == nil)
  }

  @Test func `strings may contain any character`() throws {
    let members = try members(
      #"{"a}": '{"[],:// /* \' ', '\u0062': "\"", \u0063: 1, _$é: .5}"#)
    #expect(members.map(\.name) == ["a}", "b", "c", "_$é"])
    #expect(members[0].value.text == #"{"[],:// /* ' "#)
    #expect(members[1].value.text == "\"")
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

  @Test(arguments: ["[", "{a:"])
  func `deep nesting ends early`(_ opening: String) throws {
    let error = try #require(failure(String(repeating: opening, count: 100_000)))
    #expect(error.reason.contains("64 deep"))
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
    #expect(try JSON5Scanner.value(of: word)?.integer == number)
  }

  // Foundation's decoder traps on some of these.
  @Test(arguments: [
    "0x0x", "1e+", "1e-", "1e", "0x", "0x+1", "+", "-", ".", "--1", "+-1", "01", "1.5", "1_0", "1n",
    "NaN", "Infinity", "-Infinity", "inf", "nan", "1e999", "99999999999999999999", "0b1", "٣",
    "1..2",
    "51111111110000000000000000831144565", "0xFFFFFFFFFFFFFFFFFF", "true", "null",
  ])
  func `fault 67: a word that is not an integer is refused, without a crash`(word: String) throws {
    #expect(try JSON5Scanner.value(of: word)?.integer == nil)
  }
}
