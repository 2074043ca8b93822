/// A name, such as a namespace, a key or a path, which is equal to one with the same bytes only.
///
/// Strings that are equal to Swift, such as "é" in one scalar and in two, are different names, as
/// on every disk.
package struct Name: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (one: Name, other: Name) -> Bool {
    let (one, other) = (one.text.utf8, other.text.utf8)
    guard one.count == other.count else { return false }
    let isEqual = one.withContiguousStorageIfAvailable { one in
      other.withContiguousStorageIfAvailable { other in
        one.elementsEqual(other)
      }
    }
    return (isEqual ?? nil) ?? one.elementsEqual(other)
  }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
