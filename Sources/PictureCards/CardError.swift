package struct CardError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Pango is not installed, or is too old.
    case missingLibrary
    case noFont
    /// Cairo failed, such as for want of memory.
    case notDrawn
  }

  package let kind: Kind
  /// The library's own words, in one line; empty if there are none.
  package let detail: String

  package init(_ kind: Kind, _ detail: String = "") {
    self.kind = kind
    self.detail = detail.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// A message with what failed, why, and what to do.
  package var description: String {
    switch kind {
    case .missingLibrary:
      "Pango, which sets the text of a card, cannot be loaded: \(detail). Install it: "
        + "apt-get install libpangocairo-1.0-0"
    case .noFont:
      "There is no font for the text of a card. Install one: apt-get install fonts-dejavu-core"
    case .notDrawn: "The card cannot be drawn: \(detail)"
    }
  }
}
