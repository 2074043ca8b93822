internal import FoundationEssentials

extension SalvagedReference {
  /// Finds the references in a row, as ``Attachment`` encodes them in JSON.
  static func all(in data: Data) -> Set<SalvagedReference> {
    var found: Set<SalvagedReference> = []
    let bytes = [UInt8](data)
    var rest = bytes[...]
    while let digits = rest.taking(after: #""sha256":""#, count: 2 * ContentDigest.byteCount) {
      guard let digest = ContentDigest(hexadecimal: String(decoding: digits, as: UTF8.self)) else {
        continue
      }
      var reference = SalvagedReference(digest: digest)
      // The count is in the same object, before or after the digest.
      let object = bytes[
        max(0, digits.startIndex - 60)..<min(bytes.endIndex, digits.endIndex + 60)]
      if let count = count(in: object) { reference.byteCount = max(1, count) }
      found.insert(reference)
    }
    return found
  }

  private static func count(in bytes: ArraySlice<UInt8>) -> Int? {
    var rest = bytes
    guard rest.taking(after: #""byteCount":"#, count: 1) != nil else { return nil }
    let digits = bytes[(rest.startIndex - 1)...].prefix { (0x30...0x39).contains($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}

extension ArraySlice<UInt8> {
  /// Takes all up to the bytes after the next occurrence of `text`, and returns these.
  fileprivate mutating func taking(after text: String, count: Int) -> ArraySlice<UInt8>? {
    guard let end = firstRange(of: text.utf8)?.upperBound, endIndex >= end + count else {
      return nil
    }
    let found = self[end..<end + count]
    self = self[found.endIndex...]
    return found
  }
}
