internal import FoundationEssentials
internal import PantryJSON

/// The content of JSON, regardless of the order of its members and elements.
///
/// Sets, and dictionaries whose keys are no strings, are arrays in an order that changes from one
/// copy to the next.
enum JSONContent: Hashable, Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  /// As bytes, like names: equal strings may have others.
  case text(CacheKey)
  case array([JSONContent: Int])
  case object([CacheKey: JSONContent])

  /// Decodes it from `json`; nil if that is no JSON, or has a number beyond those of Swift.
  init?(_ json: Data) {
    guard let content = try? RowDecoder().decode(JSONContent.self, from: json)  // no JSON: nil
    else { return nil }
    self = content
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: AnyName.self) {  // no object: see below
      var object: [CacheKey: JSONContent] = [:]
      for name in members.allKeys {
        let key = CacheKey(verbatim: name.stringValue)
        object[key] = try members.decode(JSONContent.self, forKey: name)
      }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {  // no array: see below
      var array: [JSONContent: Int] = [:]
      while !elements.isAtEnd { array[try elements.decode(JSONContent.self), default: 0] += 1 }
      self = .array(array)
    } else {
      let value = try decoder.singleValueContainer()
      // Each attempt but the right one fails: a value has one of these types.
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {  // or another type
        self = .bool(bool)
      } else if let integer = try? value.decode(Int64.self) {  // or another type
        self = .integer(integer)
      } else if let number = try? value.decode(Double.self) {  // or a string
        self = .number(number)
      } else {
        self = .text(CacheKey(verbatim: try value.decode(String.self)))
      }
    }
  }

  /// The path of the first member that `other` has not, or with another value; empty if the whole
  /// differs, and nil if nothing does.
  func difference(from other: JSONContent) -> String? {
    if self == other { return nil }
    guard case (.object(let ours), .object(let theirs)) = (self, other) else { return "" }
    let names = Set(ours.keys).union(theirs.keys).filter { ours[$0] != theirs[$0] }
    guard let name = names.min(by: { $0.rawValue < $1.rawValue }) else { return "" }
    guard let one = ours[name], let two = theirs[name] else { return name.rawValue }
    let path = one.difference(from: two) ?? ""
    return path.isEmpty ? name.rawValue : "\(name.rawValue).\(path)"
  }
}

struct AnyName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
