/// A mouse action over a cell, counted from 0 at the top left.
package struct MouseEvent: Hashable, Sendable {
  package enum Button: Hashable, Sendable {
    case left, middle, right
  }

  package enum Direction: Hashable, Sendable {
    case up, down, left, right
  }

  package enum Kind: Hashable, Sendable {
    case press(Button)
    /// A button release; the old form of the report does not identify the button.
    case release(Button?)
    case drag(Button)
    case move
    case scroll(Direction)
  }

  package let kind: Kind
  package let column: Int
  package let row: Int
  package let modifiers: KeyModifiers

  package init(_ kind: Kind, column: Int, row: Int, modifiers: KeyModifiers = []) {
    self.kind = kind
    self.column = column
    self.row = row
    self.modifiers = modifiers
  }
}

extension MouseEvent {
  /// Decodes xterm's button code and its 1-based coordinates.
  ///
  /// The code's low two bits are the button (3: none), 4 is Shift, 8 Alt, 16 Ctrl, 32 motion, 64
  /// the wheel, 128 further buttons, which are ignored (invisible-island.net/xterm/ctlseqs).
  package init?(code: Int, column: Int, row: Int, isRelease: Bool) {
    guard (0..<128).contains(code), column >= 1, row >= 1 else { return nil }
    let button: Button? =
      switch code & 3 {
      case 0: .left
      case 1: .middle
      case 2: .right
      default: nil
      }
    let kind: Kind
    if code & 64 != 0 {
      kind = .scroll([.up, .down, .left, .right][code & 3])
    } else if isRelease {
      kind = .release(button)
    } else if code & 32 != 0 {
      kind = button.map { .drag($0) } ?? .move
    } else {
      kind = button.map { .press($0) } ?? .release(nil)
    }
    var modifiers: KeyModifiers = []
    if code & 4 != 0 { modifiers.insert(.shift) }
    if code & 8 != 0 { modifiers.insert(.alt) }
    if code & 16 != 0 { modifiers.insert(.control) }
    self.init(kind, column: column - 1, row: row - 1, modifiers: modifiers)
  }
}
