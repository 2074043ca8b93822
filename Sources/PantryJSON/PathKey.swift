/// A step of the path of a value: the name of a member, or the index of an element.
struct PathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  /// The key of ``KeyedDecodingContainerProtocol/superDecoder()``.
  static let `super` = PathKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }
}

extension PathKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// The text of Foundation's key, so that printed errors are the same.
  var description: String {
    let number = intValue.map(String.init) ?? "nil"
    return "_CodingKey(stringValue: \"\(stringValue)\", intValue: \(number))"
  }

  var debugDescription: String { description }
}
