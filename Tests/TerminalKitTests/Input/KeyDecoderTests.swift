internal import TerminalKitTestSupport
internal import PandaTestSupport
internal import Testing

@testable import TerminalKit

/// Bytes as a terminal sends them, and the events that must come of them.
struct KeyDecoderTests {
  /// Sequences that are complete: no clock is needed to decide what they are.
  static let complete: [(bytes: String, events: [InputEvent])] = [
    ("a", [.key(.character("a"))]),
    ("é熊🐼", [.key(.character("é")), .key(.character("熊")), .key(.character("🐼"))]),
    ("\r", [.key(.enter)]), ("\n", [.key(.enter)]), ("\t", [.key(.tab)]),
    ("\u{7F}", [.key(.backspace)]), ("\u{8}", [.key(.backspace)]),
    ("\u{0}\u{1}\u{1A}", [.key(.control("@")), .key(.control("a")), .key(.control("z"))]),
    ("\u{1C}\u{1F}", [.key(.control("\\")), .key(.control("_"))]),
    ("\u{1B}x\u{1B}é", [.key(.alt("x")), .key(.alt("é"))]),
    ("\u{1B}\r", [.key(.modified(.alt, .enter))]),
    ("\u{1B}\u{1}", [.key(.modified(.alt, .control("a")))]),
    // xterm
    (
      "\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D",
      [.key(.up), .key(.down), .key(.right), .key(.left)]
    ),
    (
      "\u{1B}OA\u{1B}OB\u{1B}OC\u{1B}OD",
      [.key(.up), .key(.down), .key(.right), .key(.left)]
    ),
    ("\u{1B}[H\u{1B}[F\u{1B}OH\u{1B}OF", [.key(.home), .key(.end), .key(.home), .key(.end)]),
    ("\u{1B}[1~\u{1B}[4~\u{1B}[7~\u{1B}[8~", [.key(.home), .key(.end), .key(.home), .key(.end)]),
    (
      "\u{1B}[2~\u{1B}[3~\u{1B}[5~\u{1B}[6~",
      [.key(.insert), .key(.delete), .key(.pageUp), .key(.pageDown)]
    ),
    ("\u{1B}[1;5C", [.key(.modified(.control, .right))]),
    ("\u{1B}[1;2A\u{1B}[3;3~", [.key(.modified(.shift, .up)), .key(.modified(.alt, .delete))]),
    ("\u{1B}[1;65A", [.key(.up)]),  // Caps Lock alone is no modifier of ours.
    ("\u{1B}[Z\u{1B}[1;2Z", [.key(.backTab), .key(.backTab)]),
    (
      "\u{1B}\u{1B}[Z\u{1B}[1;4Z",
      [.key(.modified([.shift, .alt], .tab)), .key(.modified([.shift, .alt], .tab))]
    ),
    ("\u{1B}OP\u{1B}OS\u{1B}[15~\u{1B}[24~", [1, 4, 5, 12].map { .key(.function($0)) }),
    (
      "\u{1B}[1;2P\u{1B}[1;5R",
      [1, 3].map { .key(.modified($0 == 1 ? .shift : .control, .function($0))) }
    ),
    ("\u{1B}[11~\u{1B}[21~\u{1B}[23~\u{1B}[34~", [1, 10, 11, 20].map { .key(.function($0)) }),
    ("\u{1B}OM\u{1B}Op\u{1B}Oy\u{1B}Oj", [.key(.enter)] + "09*".map { .key(.character($0)) }),
    // Linux console
    ("\u{1B}[[A\u{1B}[[E", [.key(.function(1)), .key(.function(5))]),
    // rxvt
    ("\u{1B}[a\u{1B}Oa", [.key(.modified(.shift, .up)), .key(.modified(.control, .up))]),
    ("\u{1B}[3$\u{1B}[7^", [.key(.modified(.shift, .delete)), .key(.modified(.control, .home))]),
    ("\u{1B}\u{1B}[A", [.key(.modified(.alt, .up))]),
    // modifyOtherKeys and kitty
    ("\u{1B}[27;5;99~\u{1B}[99;5u", [.key(.control("c")), .key(.control("c"))]),
    ("\u{1B}[27u\u{1B}[13;2u", [.key(.escape), .key(.modified(.shift, .enter))]),
    ("\u{1B}[97;1:3u\u{1B}[97;3u", [.key(.alt("a"))]),
    // kitty: what Shift makes of a key, with and without the alternate; letters and Caps Lock
    ("\u{1B}[47:63;2u\u{1B}[47;2u", [.key(.character("?")), .key(.character("?"))]),
    ("\u{1B}[122;2u\u{1B}[122:90;2u", [.key(.character("Z")), .key(.character("Z"))]),
    ("\u{1B}[122;65u\u{1B}[122;66u", [.key(.character("Z")), .key(.character("z"))]),
    ("\u{1B}[122;129u\u{1B}[122;9u", [.key(.character("z")), .key(.character("z"))]),
    ("\u{1B}[49;65u", [.key(.character("1"))]),
    ("\u{1B}[122;6u\u{1B}[122;4u", [.key(.control("z")), .key(.alt("Z"))]),
    (
      "\u{1B}[51;5u\u{1B}[47;5u\u{1B}[32;5u",
      [.key(.escape), .key(.control("_"))] + [.key(.control("@"))]
    ),
    // kitty: presses, repeated keys, releases
    (
      "\u{1B}[122;1:1u\u{1B}[122;1:2u\u{1B}[122;129:3u\u{1B}[1;129:3A\u{1B}[5;1:3~",
      [.key(.character("z")), .key(.character("z"))]
    ),
    // kitty: associated text, also of dead keys and input methods
    ("\u{1B}[97;;97u\u{1B}[49:33;2;33u", [.key(.character("a")), .key(.character("!"))]),
    ("\u{1B}[101;;233u\u{1B}[0;;29066:128060u", "é熊🐼".map { .key(.character($0)) }),
    ("\u{1B}[13;;13u\u{1B}[9u\u{1B}[127u", [.key(.enter), .key(.tab), .key(.backspace)]),
    // kitty: AltGr as Windows has it, with Alt, or Ctrl and Alt, and with Shift, is what it types
    (
      "\u{1B}[54;3;124u\u{1B}[121;7;123u\u{1B}[32;3;95u\u{1B}[57:47;4;92u",
      "|{_\\".map { .key(.character($0)) }
    ),
    ("\u{1B}[113;7;64u\u{1B}[101:69;8;8364u", "@€".map { .key(.character($0)) }),
    // kitty: WezTerm gives a text to Ctrl and to Alt, too, that of the key
    ("\u{1B}[97;5;97u\u{1B}[106;3;106u", [.key(.control("a")), .key(.alt("j"))]),
    ("\u{1B}[106:74;4;74u\u{1B}[106;4;74u", [.key(.alt("J")), .key(.alt("J"))]),
    ("\u{1B}[54;4;94u\u{1B}[57400;3;49u", [.key(.alt("^")), .key(.alt("1"))]),
    ("\u{1B}[13;3;13u\u{1B}[1092::97;3;1092u", [.key(.modified(.alt, .enter)), .key(.alt("a"))]),
    // kitty: the keypad, function keys, and what has no meaning here
    (
      "\u{1B}[57414u\u{1B}[57399u\u{1B}[57413;129;43u",
      [.key(.enter), .key(.character("0")), .key(.character("+"))]
    ),
    (
      "\u{1B}[57417u\u{1B}[57420u\u{1B}[57426u\u{1B}[57424;5u",
      [.key(.left), .key(.down), .key(.delete), .key(.modified(.control, .end))]
    ),
    (
      "\u{1B}[13~\u{1B}[57376u\u{1B}[57364;2u",
      [.key(.function(3)), .key(.function(13)), .key(.modified(.shift, .function(1)))]
    ),
    ("\u{1B}[57441;2u\u{1B}[57358u\u{1B}[57360u\u{1B}[57428u\u{1B}[1;1E\u{1B}[57427u\u{1B}[u", []),
    // kitty: a Cyrillic and a Greek layout; a command is by place, and a text is what was typed
    ("\u{1B}[1092::97;;1092u", [.key(.character("ф"), base: .character("a"))]),
    ("\u{1B}[1092::97;1u", [.key(.character("ф"), base: .character("a"))]),
    ("\u{1B}[1092:1060:97;2;1060u", [.key(.character("Ф"), base: .character("A"))]),
    ("\u{1B}[1078:1046:59;2u", [.key(.character("Ж"), base: .character(":"))]),
    ("\u{1B}[1103::122;5u\u{1B}[945::97;3u", [.key(.control("z")), .key(.alt("a"))]),
    ("\u{1B}[46::47;;46u\u{1B}[122::121;;122u", [.key(.character(".")), .key(.character("z"))]),
    ("\u{1B}[233::50;;233u", [.key(.character("é"))]),
    ("\u{1B}[1092u", [.key(.character("ф"))]),
    ("\u{1B}[?5u", [.reply(.keyboardFlags(5))]),
    ("\u{1B}[?2;0;1000;800S", [.reply(.largestSixel(width: 1000, height: 800))]),
    ("\u{1B}[?2;3;0S\u{1B}[?1;0;256S\u{1B}[?2;0;0;0S\u{1B}[?996n", []),
    (
      "\u{1B}[?997;1n\u{1B}[?997;2n",
      [.reply(.colorScheme(isDark: true)), .reply(.colorScheme(isDark: false))]
    ),
    (
      "\u{1B}]11;rgba:ffff/0/80/ffff\u{1B}\\\u{1B}]11;rgba:f/f/f\u{7}",
      [.reply(.color(slot: 11, red: 255, green: 0, blue: 128))]
    ),
    // Alt, encoded in two ways at once.
    ("\u{1B}\u{1B}O4t", [.key(.alt("4"))]),
    // mouse
    (
      "\u{1B}[<0;10;5M\u{1B}[<0;10;5m",
      [
        .mouse(MouseEvent(.press(.left), column: 9, row: 4)),
        .mouse(MouseEvent(.release(.left), column: 9, row: 4)),
      ]
    ),
    (
      "\u{1B}[<64;1;1M\u{1B}[<65;1;1M",
      [
        .mouse(MouseEvent(.scroll(.up), column: 0, row: 0)),
        .mouse(MouseEvent(.scroll(.down), column: 0, row: 0)),
      ]
    ),
    ("\u{1B}[<34;300;200M", [.mouse(MouseEvent(.drag(.right), column: 299, row: 199))]),
    ("\u{1B}[<35;2;3M", [.mouse(MouseEvent(.move, column: 1, row: 2))]),
    (
      "\u{1B}[<20;1;1M",
      [.mouse(MouseEvent(.press(.left), column: 0, row: 0, modifiers: [.shift, .control]))]
    ),
    (
      "\u{1B}[M !\u{22}q",
      [.mouse(MouseEvent(.press(.left), column: 0, row: 1)), .key(.character("q"))]
    ),
    ("\u{1B}[32;3;4M", [.mouse(MouseEvent(.press(.left), column: 2, row: 3))]),
    ("\u{1B}[<0;0;5M\u{1B}[<0;5M\u{1B}[<128;1;1M", []),
    // paste and focus
    ("\u{1B}[200~q\u{1B}[A\r\n\u{1B}[201~z", [.paste("q\u{1B}[A\r\n"), .key(.character("z"))]),
    ("\u{1B}[200~\u{1B}\u{1B}[20\u{1B}[201~", [.paste("\u{1B}\u{1B}[20")]),
    ("\u{1B}[200~\u{1B}[201~\u{1B}[201~", [.paste("")]),
    ("\u{1B}[I\u{1B}[O", [.focus(true), .focus(false)]),
    // replies
    ("\u{1B}[?62;4;22c", [.reply(.primaryAttributes([62, 4, 22]))]),
    ("\u{1B}[>41;379;0c", [.reply(.secondaryAttributes([41, 379, 0]))]),
    ("\u{1B}[6;20;10t", [.reply(.cellSize(width: 10, height: 20))]),
    ("\u{1B}[4;600;800t\u{1B}[8;24;80t", [.reply(.textAreaSize(width: 800, height: 600))]),
    ("\u{1B}[?2026;2$y", [.reply(.mode(2026, state: 2))]),
    ("\u{1B}P>|tmux 3.3a\u{1B}\\", [.reply(.version("tmux 3.3a"))]),
    ("\u{1B}_Gi=31;OK\u{1B}\\", [.reply(.kittyGraphics(id: 31, message: "OK"))]),
    (
      "\u{1B}_Gp=1,i=7;ENOENT:a;b\u{1B}\\",
      [.reply(.kittyGraphics(id: 7, message: "ENOENT:a;b"))]
    ),
    (
      "\u{1B}]11;rgb:ffff/8080/0000\u{1B}\\",
      [.reply(.color(slot: 11, red: 255, green: 128, blue: 0))]
    ),
    (
      "\u{1B}]4;11;rgb:fafa/bdbd/2f2f\u{1B}\\",
      [.reply(.paletteColor(index: 11, red: 0xFA, green: 0xBD, blue: 0x2F))]
    ),
    ("\u{1B}]4;1;2;rgb:f/f/f\u{7}\u{1B}]4;x;rgb:f/f/f\u{7}q", [.key(.character("q"))]),
    ("\u{1B}]10;rgb:f/f/f\u{7}", [.reply(.color(slot: 10, red: 255, green: 255, blue: 255))]),
    // what means nothing is swallowed whole
    ("\u{1B}[?1;2;3q\u{1B}[12;40R\u{1B}[99~\u{1B}[>1;2$zq", [.key(.character("q"))]),
    (
      "\u{1B}P1$r0m\u{1B}\\\u{1B}]52;c;cXE=\u{7}\u{1B}^pm\u{1B}\\\u{1B}Xsos\u{1B}\\q",
      [.key(.character("q"))]
    ),
    ("\u{1B}[1;99999999999999999999A", [.key(.up)]),
    // what breaks off
    ("\u{1B}[12\u{1B}[A", [.key(.up)]), ("\u{1B}[12\rq", [.key(.enter), .key(.character("q"))]),
    ("\u{1B}Pabc\u{18}q", [.key(.character("q"))]), ("\u{1B}Pabc\u{1B}[A", [.key(.up)]),
    // a lone Esc, then an answer
    ("\u{1B}\u{1B}[?62c", [.key(.escape), .reply(.primaryAttributes([62]))]),
    ("\u{1B}\u{1B}P>|x\u{1B}\\", [.key(.escape), .reply(.version("x"))]),
    ("\u{1B}\u{1B}x", [.key(.escape), .key(.alt("x"))]),
  ]

  @Test("Complete sequences come out as their events", arguments: complete.indices)
  func tables(_ index: Int) {
    let (bytes, events) = Self.complete[index]
    var decoder = KeyDecoder()
    #expect(decoder.feed(bytes.utf8) == events)
    #expect(decoder.patience == nil)
    #expect(decoder.flush().isEmpty)
  }

  @Test("Bytes split anywhere give the same events", arguments: complete.indices)
  func splits(_ index: Int) {
    let bytes = Array(Self.complete[index].bytes.utf8)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = KeyDecoder()
        let events =
          decoder.feed(bytes[..<first]) + decoder.feed(bytes[first..<second])
          + decoder.feed(bytes[second...])
        #expect(events == Self.complete[index].events, "split at \(first) and \(second)")
      }
    }
  }

  @Test("All sequences in a row, byte by byte, give all events in a row")
  func everything() {
    var decoder = KeyDecoder()
    var events: [InputEvent] = []
    for byte in Self.complete.flatMap({ $0.bytes.utf8 }) { events += decoder.feed([byte]) }
    #expect(events == Self.complete.flatMap { $0.events })
  }

  @Test("fault 63: an answer that is cut anywhere and continued late is no key")
  func cutAnswers() {
    for answer in RealTerminals.all {
      let bytes = Array(answer.utf8)
      for cut in 0...bytes.count {
        var decoder = KeyDecoder()
        decoder.expectsAnswers = true
        var events = decoder.feed(bytes[..<cut])
        // What is held back is held for a second, not for the 50 ms of a lone Esc.
        #expect(decoder.patience ?? .seconds(1) == .seconds(1), "\(answer) cut at \(cut)")
        events += decoder.feed(bytes[cut...])
        #expect(decoder.patience == nil)
        for event in events {
          if case .reply = event { continue }
          Issue.record("\(answer) cut at \(cut): \(event)")
        }
      }
    }
  }

  @Test("fault 63: a terminal that does not answer slows Esc down once")
  func silentTerminal() {
    var decoder = KeyDecoder()
    decoder.expectsAnswers = true
    #expect(decoder.feed("\u{1B}".utf8).isEmpty)
    #expect(decoder.patience == .seconds(1))
    #expect(decoder.flush() == [.key(.escape)])
    #expect(decoder.feed("\u{1B}".utf8).isEmpty)
    #expect(decoder.patience == .milliseconds(50))
  }

  @Test(
    "A flush resolves incomplete input",
    arguments: [
      ("\u{1B}", 50, [.key(.escape)]), ("\u{1B}\u{1B}", 50, [.key(.escape), .key(.escape)]),
      ("\u{1B}[", 50, [.key(.alt("["))]), ("\u{1B}O", 50, [.key(.alt("O"))]),
      ("\u{1B}]", 50, [.key(.alt("]"))]), ("\u{1B}P", 50, [.key(.alt("P"))]),
      ("\u{1B}_", 50, [.key(.alt("_"))]),
      ("\u{1B}[1;", 1000, []), ("\u{1B}[<0;1", 1000, []), ("\u{1B}[M ", 1000, []),
      ("\u{1B}[[", 1000, []), ("\u{1B}O5", 1000, []), ("\u{1B}_Gi=1", 1000, []),
      ("\u{1B}]11;rgb\u{1B}", 1000, []), ("\u{1B}[?62", 1000, []),
      ("\u{1B}[200~abc", 1000, [.paste("abc")]),
      ("\u{1B}[200~abc\u{1B}[20", 1000, [.paste("abc\u{1B}[20")]),
    ] as [(String, Int, [InputEvent])])
  func flushes(_ bytes: String, milliseconds: Int, events: [InputEvent]) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(bytes.utf8).isEmpty)
    #expect(decoder.patience == .milliseconds(milliseconds))
    #expect(decoder.flush() == events)
    #expect(decoder.patience == nil)
    #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
  }

  @Test(
    "Invalid UTF-8 is dropped, and the bytes after it are not",
    arguments: [
      [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xFF, 0xFE], [0xE7, 0x86], [0xF0, 0x9F, 0x90], [0xC2, 0x9B],
    ] as [[UInt8]])
  func invalid(_ bytes: [UInt8]) {
    var decoder = KeyDecoder()
    #expect(decoder.feed(bytes + Array("q".utf8)) == [.key(.character("q"))])
  }

  @Test("An unterminated paste of a megabyte keeps 64 KB, fires no key, and can be ended")
  func endlessPaste() {
    var decoder = KeyDecoder()
    var events = decoder.feed("\u{1B}[200~".utf8)
    for _ in 0..<16 { events += decoder.feed([UInt8](repeating: 0x71, count: 65_536)) }
    #expect(events.isEmpty)
    #expect(decoder.flush() == [.paste(String(repeating: "q", count: KeyDecoder.pasteLimit))])
    #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
  }

  @Test("A paste cut inside a character loses the character")
  func cutPaste() {
    var decoder = KeyDecoder()
    let text = "a" + String(repeating: "熊", count: 30_000)
    let events = decoder.feed("\u{1B}[200~\(text)\u{1B}[201~".utf8)
    let kept = "a" + String(repeating: "熊", count: (KeyDecoder.pasteLimit - 1) / 3)
    #expect(events == [.paste(kept)])
  }

  @Test(
    "A sequence longer than 4 KB is read to its end and dropped",
    arguments: [
      ("\u{1B}_G", "\u{1B}\\"), ("\u{1B}P>|", "\u{1B}\\"), ("\u{1B}]11;", "\u{7}"),
      ("\u{1B}[?", "c"), ("\u{1B}O", "A"),
    ])
  func longSequence(_ start: String, end: String) {
    var decoder = KeyDecoder()
    let bytes = start + String(repeating: "1", count: 100_000) + end + "q"
    #expect(decoder.feed(bytes.utf8) == [.key(.character("q"))])
  }

  @Test("Random bytes never crash, and after a flush the next key is itself")
  func noise() {
    var random = SplitMix64(seed: 62)
    let spice = Array("\u{1B}[]OP_^X\\\u{7}?<>;0129~$mMcuRt\u{C3}\u{A9}\u{F0}".utf8)
    for _ in 0..<2000 {
      var decoder = KeyDecoder()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let bytes = (0..<Int.random(in: 0...60, using: &random)).map { _ in
          Bool.random(using: &random)
            ? UInt8.random(in: 0...255, using: &random) : spice.randomElement(using: &random) ?? 0
        }
        _ = decoder.feed(bytes)
        if Bool.random(using: &random) { _ = decoder.flush() }
      }
      _ = decoder.flush()
      #expect(decoder.state == .ground)
      #expect(decoder.feed("q".utf8) == [.key(.character("q"))])
    }
  }
}
