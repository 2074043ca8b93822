/// One value or one key of a document: its kind and the location of its text.
///
/// Nodes are in the order of the text. The nodes of an object's members are its key, then its
/// value, then the next key.
struct Node {
  /// The kind of a value, as far as the scanner can tell.
  enum Kind: UInt8 {
    case null
    case `false`
    case `true`
    /// A number without a fraction or an exponent.
    case integer
    /// A number with a fraction or an exponent.
    case decimal
    /// A string without escapes, whose UTF-8 is not yet validated.
    case string
    /// A string with well-formed escapes, whose UTF-8 is not yet validated.
    case escapedString
    case array
    /// An object whose keys are ASCII without escapes: equal keys have equal bytes.
    case object
    /// An object with a key that has an escape or is not ASCII.
    case unusualObject
  }

  var kind: Kind
  /// The first byte of the text, within the quotes of a string.
  var offset: UInt32
  /// The bytes of a number's or string's text; the elements of an array, the members of an object.
  var length: UInt32
  /// The index of the node after this value and all its contents.
  var next: UInt32
}

extension Node.Kind {
  /// The phrase for a value of this kind in Foundation's errors.
  var phrase: String {
    switch self {
    case .null: "null"
    case .false, .true: "bool"
    case .integer, .decimal: "number"
    case .string, .escapedString: "a string"
    case .array: "an array"
    case .object, .unusualObject: "a dictionary"
    }
  }
}
