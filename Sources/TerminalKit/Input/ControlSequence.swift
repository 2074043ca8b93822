/// A control sequence from the terminal, `CSI body final` or `SS3 body final`.
///
/// Sequences with numbers of more than seven digits or of another form have no event. Sources:
/// xterm's ctlseqs, rxvt's rxvtRef(7), console_codes(4), kitty's keyboard protocol.
struct ControlSequence {
  /// One of `< = > ?`, first in the body of a private sequence.
  private let marker: UInt8?
  /// The parameters with the parts that colons separate; a missing number is nil.
  private let fields: [[Int?]]
  /// The bytes 0x20 to 0x2F before the final byte.
  private let intermediates: [UInt8]
  private let final: UInt8

  init(body: [UInt8], final: UInt8) {
    let marker = body.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
    let rest = body.dropFirst(marker == nil ? 0 : 1)
    let numbers = rest.prefix { (0x30...0x3B).contains($0) }
    self.marker = marker
    self.fields = numbers.split(separator: 0x3B, omittingEmptySubsequences: false).map { field in
      field.split(separator: 0x3A, omittingEmptySubsequences: false).map { Self.number($0) }
    }
    self.intermediates = Array(rest.dropFirst(numbers.count))
    self.final = final
  }

  var isPasteStart: Bool { isPlain && final == 0x7E && parameters.first == 200 }

  /// The events that the sequence encodes; empty if none matters here.
  ///
  /// Only text that an input method composed is more than one.
  var events: [InputEvent] {
    if isPlain, final == 0x75 { return kittyEvents }
    return event.map { [$0] } ?? []
  }

  private var event: InputEvent? {
    switch marker {
    case nil where intermediates.isEmpty: plainEvent
    case 0x3C where intermediates.isEmpty: mouse(release: final == 0x6D)  // <
    case 0x3E where intermediates.isEmpty && final == 0x63:
      .reply(.secondaryAttributes(parameters.compactMap { $0 }))
    case 0x3F: privateReply
    default: nil
    }
  }

  /// The event after SS3: F1 to F4, and the keypad in application mode.
  var singleShiftEvent: InputEvent? {
    guard isPlain else { return nil }
    // Old xterms send the modifiers alone first: `SS3 5 P`.
    let held = KeyModifiers(parameter: (parameters.count > 1 ? parameters[1] : parameters[0]) ?? 1)
    let key: Key? =
      switch final {
      case 0x61...0x64:  // rxvt: a to d are the arrows with Ctrl.
        Self.named(final - 0x20)?.with(.control)
      case 0x4D: .enter
      case 0x49: .tab
      case 0x58: .character("=")
      case 0x6A...0x79: .character(Character(UnicodeScalar(final - 0x40)))  // j to y: * to 9
      case 0x52: .function(3)
      default: Self.named(final)
      }
    return key.map { .key($0.with(held)) }
  }

  private var isPlain: Bool { marker == nil && intermediates.isEmpty }

  private static func number(_ digits: some Collection<UInt8>) -> Int? {
    guard (1...7).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  /// The first parts of the parameters.
  private var parameters: [Int?] { fields.map { $0.first ?? nil } }

  func parameter(_ index: Int, part: Int = 0) -> Int? {
    parts(of: index).dropFirst(part).first ?? nil
  }

  /// The parts of a parameter; empty if it is missing.
  func parts(of index: Int) -> [Int?] { fields.indices.contains(index) ? fields[index] : [] }
}

// MARK: - Keys

extension ControlSequence {
  private var plainEvent: InputEvent? {
    switch final {
    case 0x74: sizeReply  // t
    case 0x4D: mouse(release: false)  // M: urxvt's form; the codes count from 32
    case 0x49 where parameters == [nil]: .focus(true)  // I
    case 0x4F where parameters == [nil]: .focus(false)  // O
    default: isRelease ? nil : key.map { .key($0) }
    }
  }

  /// Whether a key of kitty's protocol was released; a repeated one (2) counts as pressed.
  var isRelease: Bool { parameter(1, part: 1) == 3 }

  var held: KeyModifiers { KeyModifiers(parameter: parameter(1) ?? 1) }

  private var key: Key? {
    switch final {
    case 0x7E where parameter(0) == 27:  // xterm's modifyOtherKeys: CSI 27 ; modifiers ; code ~
      parameter(2).flatMap(Self.coded)?.with(held)
    case 0x7E: numbered?.with(held)
    case 0x24: numbered?.with(.shift)  // rxvt: $ ^ @ instead of ~
    case 0x5E: numbered?.with(.control)
    case 0x40: numbered?.with([.shift, .control])
    case 0x61...0x64: Self.named(final - 0x20)?.with(.shift)  // rxvt: a to d
    case 0x5A: Key.tab.with(held.union(.shift))  // Z
    case 0x52:  // R: F3, and the cursor's position, which we never query
      parameters == [nil] || (parameter(0) == 1 && (2...16).contains(parameter(1) ?? 0))
        ? Key.function(3).with(held) : nil
    default: Self.named(final)?.with(held)
    }
  }

  private static func named(_ final: UInt8) -> Key? {
    switch final {
    case 0x41: .up
    case 0x42: .down
    case 0x43: .right
    case 0x44: .left
    case 0x46: .end
    case 0x48: .home
    case 0x50: .function(1)
    case 0x51: .function(2)
    case 0x53: .function(4)
    default: nil
    }
  }

  /// The key of `CSI number ~`, as numbered by the VT220.
  private var numbered: Key? {
    switch parameter(0) {
    case 1, 7: .home
    case 2: .insert
    case 3: .delete
    case 4, 8: .end
    case 5: .pageUp
    case 6: .pageDown
    case .some(let number) where (11...15).contains(number): .function(number - 10)
    case .some(let number) where (17...21).contains(number): .function(number - 11)
    case .some(let number) where (23...26).contains(number): .function(number - 12)
    case .some(let number) where (28...29).contains(number): .function(number - 13)
    case .some(let number) where (31...34).contains(number): .function(number - 14)
    default: nil
    }
  }

  /// Returns the key for a Unicode scalar's number, which is outside the private use area.
  static func coded(_ number: Int) -> Key? {
    switch number {
    case 8, 9, 13, 27, 127: Key(control: UInt8(number))
    case 0x20..<0x7F, 0xA0..<0xE000, 0xF900...0xFFFF, 0x10000...0x1FFFF:
      UnicodeScalar(UInt32(number)).map { .character(Character($0)) }
    default: nil
    }
  }
}

// MARK: - Mouse and replies

extension ControlSequence {
  private func mouse(release: Bool) -> InputEvent? {
    guard final == 0x4D || final == 0x6D, parameters.count == 3,
      let code = parameters[0], let column = parameters[1], let row = parameters[2]
    else { return nil }
    let offset = marker == nil ? 32 : 0
    return MouseEvent(code: code - offset, column: column, row: row, isRelease: release)
      .map { .mouse($0) }
  }

  private var sizeReply: InputEvent? {
    guard parameters.count == 3, let height = parameters[1], let width = parameters[2],
      height > 0, width > 0
    else { return nil }
    return switch parameters[0] {
    case 4: .reply(.textAreaSize(width: width, height: height))
    case 6: .reply(.cellSize(width: width, height: height))
    default: nil
    }
  }

  private var privateReply: InputEvent? {
    switch final {
    case 0x63 where intermediates.isEmpty:
      return .reply(.primaryAttributes(parameters.compactMap { $0 }))
    case 0x53 where parameter(0) == 2 && parameter(1) == 0:  // S: XTSMGRAPHICS, without an error
      guard let width = parameter(2), let height = parameter(3), width > 0, height > 0 else {
        return nil
      }
      return .reply(.largestSixel(width: width, height: height))
    case 0x6E where parameter(0) == 997:
      return parameter(1).map { .reply(.colorScheme(isDark: $0 == 1)) }
    case 0x75 where intermediates.isEmpty:
      return parameter(0).map { .reply(.keyboardFlags($0)) }
    case 0x79 where intermediates == [0x24]:
      guard let mode = parameter(0), let state = parameter(1) else { return nil }
      return .reply(.mode(mode, state: state))
    default: return nil
    }
  }
}
