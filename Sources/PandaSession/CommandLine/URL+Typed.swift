internal import FoundationEssentials

extension URL {
  /// Reads an address as a person types it, with blanks and letters that addresses encode.
  ///
  /// Nil with control characters, which are never typed.
  package init?(typed text: String) {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    self.init(string: text, encodingInvalidCharacters: true)
  }
}
