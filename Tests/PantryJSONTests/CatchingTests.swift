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

  @Test(arguments: ["1", "\"one\"", "true", "null", "[1]", "[\"a\",1,null]", "{\"a\":[1,\"b\"]}"])
  func `a type may try several decodings`(_ json: String) {
    expectSameAsFoundation(Tree.self, json, by: .tape)
  }

  @Test(arguments: [
    "[1,\"two\",3,null,{\"a\":1}]", "[]", "[\"a\"]", "[[1],2,[3]]", "[1.5,2]", "[300,1]",
  ])
  func `a lossy array skips what it cannot decode`(_ json: String) {
    expectSameAsFoundation(Lossy<Int>.self, json)
    expectSameAsFoundation(Lossy<Int8>.self, json)
    expectSameAsFoundation(Lossy<String>.self, json, by: .tape)
    expectSameAsFoundation(Lossy<[Int]>.self, json)
  }

  @Test(arguments: [
    "{}", "{\"value\":1}", "{\"value\":\"1\"}", "{\"value\":null}", "{\"value\":[]}", "[]", "7",
    "{\"value\":1e2}", "{\"value\":99999999999999999999}",
  ])
  func `a type may distinguish errors by their case`(_ json: String) {
    expectSameAsFoundation(Sorter.self, json)
  }
}

/// Whether a number is small enough.
private struct Narrow: Decodable, Equatable {
  let isNarrow: Bool

  init(from decoder: any Decoder) throws {
    isNarrow = (try? Int8(from: decoder)) != nil
  }
}

/// An array that drops elements of a wrong type.
private struct Lossy<Element: Decodable & Equatable>: Decodable, Equatable {
  var elements: [Element] = []
  var dropped: [String] = []

  private struct Anything: Decodable {}

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      do {
        elements.append(try container.decode(Element.self))
      } catch {
        dropped.append(String(reflecting: error))
        _ = try container.decode(Anything.self)
      }
    }
  }
}

/// Records the case of the error that it catches.
private struct Sorter: Decodable, Equatable {
  let found: String

  private enum CodingKeys: String, CodingKey { case value }

  init(from decoder: any Decoder) throws {
    do {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      found = "\(try container.decode(Int.self, forKey: .value))"
    } catch DecodingError.typeMismatch(let type, let context) {
      found = withoutKeyTypes("mismatch \(type) \(context)")
    } catch DecodingError.keyNotFound(let key, let context) {
      found = withoutKeyTypes("no \(key) \(context)")
    } catch DecodingError.valueNotFound(let type, let context) {
      found = withoutKeyTypes("no \(type) \(context)")
    } catch let error as DecodingError {
      found = "another \(error)"
    } catch {
      found = "no decoding error"
    }
  }
}
