import FoundationEssentials
import PantryJSON
import Testing

@Suite struct CatchingTests {
  @Test(arguments: [
    "null", "true", "17", "-3", "\"text\"", "\"aGVsbG8=\"", "[]", "{}", "[null]", "[1,2,3]",
    "[true,false,null,\"x\",{\"a\":1},[2]]", "{\"a\":1}", "{\"a\":null}", "{\"a\":[]}",
    "{\"a\":{\"b\":{\"c\":[1,{\"d\":null}]}}}", "[[[[]]],[[1]]]", "[{\"a\":true},{\"b\":[\"x\"]}]",
    "{\"super\":\"base\",\"a\":\"https://example.com/a?b=c\"}",
    "{\"super\":null,\"x\":[null,null]}",
    "{\"a\":1,\"a\":2}", "{\"é\":1,\"\\u00e9\":2,\"k\":3}", "{\"a\\u0062\":1,\"ab\":2}",
  ])
  func `a type that catches every error sees the same ones`(_ json: String) {
    expectSameAsFoundation(Probe.self, json, by: .tape)
  }

  @Test func `a type that catches every error sees the same ones in large objects`() {
    let members = (0..<40).map { "\"key\($0)\":\($0 % 3 == 0 ? "null" : "\($0)")" }
    expectSameAsFoundation(Probe.self, "{" + members.joined(separator: ",") + "}", by: .tape)
  }

  @Test(arguments: ["1.5", "300", "-1", "[1e2]", "{\"a\":1.0}", "\"\\ud800\"", "[\"\\udc00\"]"])
  func `values that only Foundation can decode are left to it`(_ json: String) {
    expectSameAsFoundation(Probe.self, json)
    expectSameAsFoundation(Tree.self, json)
    expectSameAsFoundation(Narrow.self, json)
  }
}

/// Whether a number is small enough.
private struct Narrow: Decodable, Equatable {
  let isNarrow: Bool

  init(from decoder: any Decoder) throws {
    isNarrow = (try? Int8(from: decoder)) != nil
  }
}
