/// Decodes the terminal's bytes into events: keys, mouse, pastes, replies.
///
/// A pure state machine without a clock. Bytes may be split anywhere. While it holds bytes back,
/// `patience` says for how long, and `flush()` ends the wait: a lone Esc becomes the Esc key after
/// 50 ms, an incomplete sequence is dropped after a second.
///
/// A late reply from the terminal never turns into key presses: control sequences and strings are
/// read to their end even if unknown. While answers are expected, an incomplete sequence may be the
/// first part of one, and is held for a second. Memory is bounded: 4 KB of a sequence are kept, 64
/// KB of a paste.
package struct KeyDecoder: Sendable {
  /// The maximum length of a sequence that is parsed; a longer one is read to its end and dropped.
  static let sequenceLimit = 4096
  /// The maximum size of a paste, in bytes; the rest is dropped.
  static let pasteLimit = 65_536

  /// The parser's position in the grammar of ECMA-48.
  package enum State: Hashable, Sendable {
    case ground
    /// Inside a UTF-8 character: the number of missing bytes, and the range of the next.
    case character(missing: Int, next: ClosedRange<UInt8>)
    case escape
    case control
    /// After `CSI [`: the Linux console's F1 to F5.
    case linuxFunction
    /// After `CSI M`: three raw bytes of an old mouse report.
    case oldMouse
    case singleShift
    case string(StringKind)
    case stringEscape(StringKind)
    case paste(matched: Int)
  }

  /// The strings of ECMA-48, by the byte that follows Esc.
  package enum StringKind: UInt8, Sendable {
    case deviceControl = 0x50  // P
    case startOfString = 0x58  // X
    case systemCommand = 0x5D  // ]
    case privacyMessage = 0x5E  // ^
    case applicationCommand = 0x5F  // _
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Whether the terminal still owes answers, which a slow line may cut anywhere.
  var expectsAnswers = false

  package private(set) var state = State.ground
  /// The bytes read so far of the current character, sequence, string or paste.
  private var held: [UInt8] = []
  /// Whether the current sequence is longer than the bytes held.
  private var isTooLong = false
  /// Whether another Esc preceded the current sequence: Alt, as rxvt sends it, or the Esc key.
  private var hasEscapeBefore = false
  private var events: [InputEvent] = []

  /// Reads bytes and returns the events that they complete.
  ///
  /// - Complexity: O(n).
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> [InputEvent] {
    for byte in bytes { read(byte) }
    return takeEvents()
  }

  /// The time to wait for more bytes before `flush()`, counted from the last byte; nil if nothing
  /// is held back.
  package var patience: Duration? {
    switch state {
    case .ground: nil
    case .escape: shortPatience
    case .control, .singleShift, .string:
      // Nothing follows the introducer yet: it may have been Alt with [, O, P, X, ], ^ or _.
      held.isEmpty && !isTooLong ? shortPatience : .seconds(1)
    default: .seconds(1)
    }
  }

  private var shortPatience: Duration { expectsAnswers ? .seconds(1) : .milliseconds(50) }

  /// Ends the wait for more bytes.
  ///
  /// An Esc becomes a key, an incomplete sequence is dropped, an unterminated paste ends.
  ///
  /// From then on no answer is expected: a terminal that never answers must not slow Esc down.
  package mutating func flush() -> [InputEvent] {
    expectsAnswers = false
    switch state {
    case .ground, .character, .linuxFunction, .oldMouse, .stringEscape: break
    case .escape:
      emitEscapeBefore()
      emit(.escape)
    case .control: flushIntroducer("[")
    case .singleShift: flushIntroducer("O")
    case .string(let kind): flushIntroducer(Character(UnicodeScalar(kind.rawValue)))
    case .paste(let matched): finishPaste(adding: Self.pasteEnd.prefix(matched))
    }
    enter(.ground)
    return takeEvents()
  }
}

// MARK: - Reading

extension KeyDecoder {
  private mutating func read(_ byte: UInt8) {
    switch state {
    case .ground: readGround(byte)
    case .character(let missing, let next): readCharacter(byte, missing: missing, next: next)
    case .escape: readEscape(byte)
    case .control: readControl(byte)
    case .linuxFunction:
      guard byte >= 0x20 else { return reread(byte) }
      emitSequence((0x41...0x45).contains(byte) ? .key(.function(Int(byte) - 0x40)) : nil)
    case .oldMouse:
      guard byte >= 0x20 else { return reread(byte) }
      held.append(byte)
      if held.count == 3 { emitSequence(Self.oldMouseEvent(held)) }
    case .singleShift: readSingleShift(byte)
    case .string(let kind): readString(byte, kind)
    case .stringEscape(let kind): readStringEscape(byte, kind)
    case .paste(let matched): readPaste(byte, matched: matched)
    }
  }

  private mutating func readGround(_ byte: UInt8) {
    switch byte {
    case 0x1B: enter(.escape)
    case 0x00..<0x20, 0x7F: emit(Key(control: byte))
    case 0x20..<0x7F: emit(.character(Character(UnicodeScalar(byte))))
    default: beginCharacter(byte)
    }
  }

  /// Begins a multi-byte character.
  ///
  /// The ranges of the second byte exclude overlong forms, surrogates and values above U+10FFFF
  /// (Unicode, table 3-7).
  private mutating func beginCharacter(_ byte: UInt8) {
    let hadEscape = hasEscapeBefore
    switch byte {
    case 0xC2...0xDF: enter(.character(missing: 1, next: 0x80...0xBF))
    case 0xE0: enter(.character(missing: 2, next: 0xA0...0xBF))
    case 0xED: enter(.character(missing: 2, next: 0x80...0x9F))
    case 0xE1...0xEF: enter(.character(missing: 2, next: 0x80...0xBF))
    case 0xF0: enter(.character(missing: 3, next: 0x90...0xBF))
    case 0xF1...0xF3: enter(.character(missing: 3, next: 0x80...0xBF))
    case 0xF4: enter(.character(missing: 3, next: 0x80...0x8F))
    default: return enter(.ground)
    }
    hasEscapeBefore = hadEscape
    held.append(byte)
  }

  private mutating func readCharacter(_ byte: UInt8, missing: Int, next: ClosedRange<UInt8>) {
    guard next.contains(byte) else { return reread(byte) }
    held.append(byte)
    guard missing == 1 else {
      state = .character(missing: missing - 1, next: 0x80...0xBF)
      return
    }
    let character = Character(String(decoding: held, as: UTF8.self))
    let key: Key = hasEscapeBefore ? .alt(character) : .character(character)
    enter(.ground)
    // U+0080 to U+009F are control characters that no key sends.
    if let scalar = character.unicodeScalars.first, scalar.value >= 0xA0 { emit(key) }
  }

  private mutating func readEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      emitEscapeBefore()
      hasEscapeBefore = true
    case 0x5B: state = .control
    case 0x4F: state = .singleShift
    case 0x20..<0x7F:
      if let kind = StringKind(rawValue: byte) { return state = .string(kind) }
      emitEscapeBefore()
      enter(.ground)
      emit(.alt(Character(UnicodeScalar(byte))))
    case 0x80...:
      emitEscapeBefore()
      hasEscapeBefore = true
      beginCharacter(byte)
    default:
      emitEscapeBefore()
      enter(.ground)
      emit(Key(control: byte).with(.alt))
    }
  }

  private mutating func readControl(_ byte: UInt8) {
    switch byte {
    case 0x5B where held.isEmpty: state = .linuxFunction
    case 0x4D where held.isEmpty: state = .oldMouse
    case 0x24 where !held.isEmpty && held.allSatisfy { (0x30...0x39).contains($0) }:
      // rxvt ends the reports of Shift with a dollar: `CSI 3 $`. Replies have `?` or `;` before it.
      finishControl(byte)
    case 0x20...0x3F: hold(byte)
    case 0x40...0x7E: finishControl(byte)
    default: reread(byte)
    }
  }

  private mutating func finishControl(_ final: UInt8) {
    guard !isTooLong else { return enter(.ground) }
    let sequence = ControlSequence(body: held, final: final)
    if sequence.isPasteStart {
      emitEscapeBefore()
      return enter(.paste(matched: 0))
    }
    let found = sequence.events
    emitSequence(found.first)
    events += found.dropFirst()
  }

  private mutating func readSingleShift(_ byte: UInt8) {
    switch byte {
    case 0x30...0x3B: hold(byte)
    case 0x40...0x7E:
      let sequence = ControlSequence(body: held, final: byte)
      emitSequence(isTooLong ? nil : sequence.singleShiftEvent)
    case 0x20...0x3F: enter(.ground)
    default: reread(byte)
    }
  }

  private mutating func readString(_ byte: UInt8, _ kind: StringKind) {
    switch byte {
    case 0x1B: state = .stringEscape(kind)
    case 0x07 where kind == .systemCommand: finishString(kind)
    case 0x18, 0x1A: enter(.ground)  // CAN and SUB abort a string.
    default: hold(byte)
    }
  }

  private mutating func readStringEscape(_ byte: UInt8, _ kind: StringKind) {
    if byte == 0x5C { return finishString(kind) }
    enter(.escape)
    read(byte)
  }

  private mutating func finishString(_ kind: StringKind) {
    let reply = isTooLong ? nil : TerminalReply(kind, body: held)
    emitSequence(reply.map { .reply($0) })
  }

  private mutating func readPaste(_ byte: UInt8, matched: Int) {
    if byte == Self.pasteEnd[matched] {
      state = .paste(matched: matched + 1)
      if matched + 1 == Self.pasteEnd.count {
        finishPaste(adding: [])
        enter(.ground)
      }
      return
    }
    // Esc occurs only at the start of the end mark, so a mismatch can only restart the match.
    for past in Self.pasteEnd.prefix(matched) { holdPasted(past) }
    if byte == Self.pasteEnd[0] {
      state = .paste(matched: 1)
    } else {
      holdPasted(byte)
      state = .paste(matched: 0)
    }
  }

  private mutating func finishPaste(adding rest: some Sequence<UInt8>) {
    for byte in rest { holdPasted(byte) }
    // Invalid UTF-8, and a character cut at the limit, decode as U+FFFD.
    let text = String(decoding: held, as: UTF8.self).unicodeScalars.filter { $0 != "\u{FFFD}" }
    events.append(.paste(String(String.UnicodeScalarView(text))))
  }
}

// MARK: - Holding and emitting

extension KeyDecoder {
  private mutating func enter(_ next: State) {
    state = next
    held.removeAll(keepingCapacity: held.capacity <= Self.sequenceLimit)
    isTooLong = false
    hasEscapeBefore = false
  }

  /// Drops the held bytes and rereads the byte that did not belong to them as a first byte.
  private mutating func reread(_ byte: UInt8) {
    enter(.ground)
    read(byte)
  }

  private mutating func hold(_ byte: UInt8) {
    if held.count < Self.sequenceLimit { held.append(byte) } else { isTooLong = true }
  }

  private mutating func holdPasted(_ byte: UInt8) {
    if held.count < Self.pasteLimit { held.append(byte) }
  }

  private mutating func emit(_ key: Key) { events.append(.key(key)) }

  private mutating func emitEscapeBefore() {
    if hasEscapeBefore { emit(.escape) }
    hasEscapeBefore = false
  }

  /// Emits the event of a finished sequence, if it has one.
  ///
  /// A preceding Esc was Alt if the event is a key, and the Esc key otherwise.
  private mutating func emitSequence(_ event: InputEvent?) {
    if case .key(let key, _) = event, hasEscapeBefore {
      events.append(.key(key.with(.alt)))
    } else {
      emitEscapeBefore()
      if let event { events.append(event) }
    }
    enter(.ground)
  }

  /// Flushes an introducer: alone it was Alt with its character, otherwise an incomplete sequence.
  private mutating func flushIntroducer(_ character: Character) {
    emitEscapeBefore()
    if held.isEmpty && !isTooLong { emit(.alt(character)) }
  }

  private mutating func takeEvents() -> [InputEvent] {
    defer { events = [] }
    return events
  }

  private static func oldMouseEvent(_ bytes: [UInt8]) -> InputEvent? {
    let numbers = bytes.map { Int($0) - 32 }
    return MouseEvent(
      code: numbers[0], column: numbers[1], row: numbers[2], isRelease: false
    ).map { .mouse($0) }
  }
}
