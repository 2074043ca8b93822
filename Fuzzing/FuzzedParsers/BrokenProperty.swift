/// A property that a parser did not keep.
package struct BrokenProperty: Error, CustomStringConvertible {
  /// The property, and what was found instead.
  package let description: String
}

/// Requires a property of a parser.
///
/// - Throws: ``BrokenProperty`` if it is not kept.
func require(_ isKept: Bool, _ property: @autoclosure () -> String) throws(BrokenProperty) {
  guard isKept else { throw BrokenProperty(description: property()) }
}
