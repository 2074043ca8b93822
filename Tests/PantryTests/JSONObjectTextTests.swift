import Foundation
import Testing

@testable import Pantry

@Suite struct JSONObjectTextTests {
  @Test func `other members keep their exact text`() throws {
    var object = try JSONObjectText(
      Data(
        #"""
        { "big" : 123456789012345678901234567890.10, "a\"}\\" : {"x" : [ "}]\"", {} ] },
          "key":1, "nothing" : null, "slash" : "\/\u00e4" , "ü" : true }
        """#.utf8))
    try object.set(Data("2".utf8), key: "key")
    #expect(
      object.text
        == Data(
          #"""
          {"big":123456789012345678901234567890.10,"a\"}\\":{"x" : [ "}]\"", {} ] },"key":2,
          """#.utf8)
        + Data(#""nothing":null,"slash":"\/\u00e4","ü":true}"#.utf8))
  }

  @Test func `no damaged text crashes the program`() throws {
    let text = Data(#"{ "a\"" : [1, {"b":"}\\"}], "ü":-1.5e3 , "c" : null }"#.utf8)
    let object = try JSONObjectText(text)
    #expect(object["a\""] == Data(#"[1, {"b":"}\\"}]"#.utf8))
    #expect(object["ü"] == Data("-1.5e3".utf8))
    var whole = 0
    for index in text.indices {
      // To be read or refused; a text that is cut short is always refused.
      #expect(throws: (any Error).self) { try JSONObjectText(text.prefix(index)) }
      for byte in #""\{}[]:, 0x"#.utf8 {
        var damaged = text
        damaged[index] = byte
        if let object = try? JSONObjectText(damaged) {
          whole += 1
          #expect(throws: Never.self) { try JSONObjectText(object.text) }
        }
      }
    }
    #expect(whole > 0)
  }
}
