import FoundationEssentials

/// Documents of every category that JSONTestSuite has (github.com/nst/JSONTestSuite), in our words.
enum SyntaxCases {
  /// Valid JSON, which the tape decodes without Foundation.
  static let accepted: [String] =
    acceptedStructures + acceptedNumbers + acceptedStrings + acceptedEscapes

  /// What RFC 8259 forbids.
  ///
  /// Foundation's decoder tolerates a few, and is asked for all.
  static let refused: [Data] =
    (refusedStructures + refusedNumbers + refusedStrings).map { Data($0.utf8) } + refusedBytes

  /// What RFC 8259 leaves to each parser.
  static let undecided: [Data] = undecidedNumbers + undecidedStrings + encodings

  static let acceptedStructures = [
    "[]", "{}", " [] ", "\t{}\n", "[ ]", "{ }", "[\r\n]", "[[]]", "[[],[]]", "[{}]", "{\"a\":{}}",
    "{\"a\":[]}", "[[[[[[[[]]]]]]]]", "null", "true", "false", "[null]", "[true,false]",
    "[null, 1, \"1\", {}]", "[1,null,null,2]", "{\"a\":\"b\"}", "{\"a\":\"b\",\"c\":\"d\"}",
    "{\"\":0}", "{\"a\":\"b\",\"a\":\"b\"}", "{\"a\":\"b\",\"a\":\"c\"}", "{\"a\" : 1 , \"b\" : 2}",
    "{\n\"a\":\n1\n}", "[ 1 , 2 ]", "[1\n,2]", "\n\n7\n\n", " \"lone\" ",
    "{\"a\":null,\"b\":[null]}",
    "{\"a\":{\"b\":{\"c\":{}}}}", "[[1],[2,[3]],{\"x\":[4]}]", "{\"a\\u0000b\":1}",
    "{\"\\u0061\":1}",
    "{\"é\":1,\"日本\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"min\":-1.0e+2,\"max\":1.0E+2}",
    "[{\"id\":1},{\"id\":2}]", "[\"\"]", "[\"\",\"\"]", "{\"true\":true,\"null\":null}",
  ]

  static let refusedStructures = [
    "", " ", "\n", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[,]", "[\"\",]",
    "[1 2]", "[1:2]", "[\"a\":1]", "[1}", "{]", "[]]", "[[]", "[1]x", "[][]", "{}{}", "1 2",
    "[3[4]]",
    "[[1],", "[{}", "[\"a\",\n4\n,1,", "[1,\n1\n,1", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,",
    "{\"a\":1,}", "{\"a\":1,,}", "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\" 1}", "{\"a\",1}",
    "{\"a\"::1}", "{\"a\":1:2}", "{:1}", "{1:1}", "{null:null}", "{true:1}", "{[]:1}", "{{}:1}",
    "{a:1}", "{'a':1}", "{\"a\":'b'}", "{\"a\":1]", "{\"a\"}", "{\"a\":}", "{\"a\":1 \"b\":2}",
    "{\"a\":a}", "{\"a\":/*c*/1}", "{\"a\":1}//", "{\"a\":1}/**/", "{\"a\":1}#", "/**/[]", "//\n[]",
    "[1,/*x*/2]", "#[]", "nul", "nulll", "tru", "truee", "fals", "falsee", "True", "FALSE", "NULL",
    "[nul]", "[tru]", "[fals]", "[truth]", "[nullx]", "n", "t", "f", "undefined", "[undefined]",
    "*",
    "<.>", "[<null>]", "[*]", "[*\"\"]", "[a", "[a]", "abc", "{\"x\": true,", "{\"x\": true x}",
    ";",
    "[\u{0C}]", "\u{0B}[]", "[\u{2060}]", "\u{2060}[]", "[\u{A0}1]", "[1]\u{0}", "\u{0}", "[\u{0}]",
    "\u{0}[]", "{\"a\":1}\u{0}", "1\u{0}", "[\"a\"\u{0}]", "\u{1}", "[1]\u{FEFF}", "å", "[å]",
    "{å:1}",
    "[False]", "[trUe]", "\\", "[\\]", "[\\n]", "\\u000a[]", "{\"a\":1}}", "{\"a\":[1}",
    "[{\"a\":1]}",
    "[1,{\"b\":2]", ":", ",", "[:]", "{,}", "{:}", "()", "[(1)]", "$", "&amp;", "[1]]]", "[[[[",
    "{\"a\":{\"b\":", "[\"x\", truth]", "{\"a\"\"b\"}", "[\"a\"\"b\"]", "{\"a\":1;\"b\":2}",
    "[1;2]",
  ]

  static let encodings: [Data] = {
    var cases: [Data] = [
      Data([0xEF, 0xBB, 0xBF]), Data([0xEF, 0xBB, 0xBF] + "{}".utf8),
      Data([0xEF, 0xBB, 0xBF] + "[1,\"é\"]".utf8), Data([0xEF, 0xBB] + "{}".utf8),
      Data([0xEF] + "{}".utf8), Data([0xFE, 0xFF]), Data([0xFF, 0xFE]), Data([0xFF, 0xFE, 0, 0]),
      Data([0, 0, 0xFE, 0xFF]), Data([0xFE, 0xFF, 0, 0]), Data([0x31, 0]), Data([0, 0x31]),
      Data([0x31, 0, 0]), Data([0, 0, 0x31]), Data([0, 0, 0, 0x31]), Data([0x31, 0, 0, 0]),
    ]
    for text in ["[1,2]", "{\"a\":\"é\"}", "\"𝄞\"", "1", "[\"日本語\",null]", "{}"] {
      let units = Array(text.utf16)
      let scalars = text.unicodeScalars.map(\.value)
      let big16 = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      let little16 = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      let big32 = scalars.flatMap { value in
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
      }
      let little32 = scalars.flatMap { value in
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
      }
      cases += [big16, little16, big32, little32].map { Data($0) }
      cases += [
        Data([0xFE, 0xFF] + big16), Data([0xFF, 0xFE] + little16),
        Data([0, 0, 0xFE, 0xFF] + big32), Data([0xFF, 0xFE, 0, 0] + little32),
        Data(big16.dropLast()), Data(little16.dropLast()),
      ]
    }
    return cases
  }()

  static let nestings: [Data] = {
    var cases: [Data] = []
    for depth in [255, 256, 257, 512, 513, 100_000] {
      let (open, close) = (
        String(repeating: "[", count: depth), String(repeating: "]", count: depth)
      )
      let objects = String(repeating: "{\"a\":", count: depth)
      let braces = String(repeating: "}", count: depth)
      let mixed = String(repeating: "[{\"\":", count: depth)
      cases += [open + close, open + " ", objects + "1" + braces, objects, mixed].map {
        Data($0.utf8)
      }
    }
    return cases
  }()
}
