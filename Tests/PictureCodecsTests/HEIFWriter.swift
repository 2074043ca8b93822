internal import Foundation

@testable import PictureCodecs

/// Writes a HEIC or AVIF file of given items, which may lie.
struct HEIFWriter {
  struct Item {
    var kind: String
    /// Whole boxes.
    var properties: [[UInt8]] = []
    var data: [UInt8] = []
    /// The kind of a reference, and the items.
    var references: [(String, [Int])] = []
    /// A note's media type and compression.
    var note: (type: String, encoding: String)?
  }

  var brand = "heic"
  /// Their numbers begin with 1, which is the picture to show.
  var items: [Item]

  /// The whole file, with an `mdat` box for each item.
  func bytes() -> [UInt8] {
    let beginning = Self.box("ftyp", Array("\(brand)\0\0\0\0mif1\(brand)".utf8))
    // Places have four bytes, whatever they are.
    var offset = beginning.count + meta(offsets: items.map { _ in 0 }).count
    let offsets = items.map { item in
      defer { offset += item.data.count + 8 }
      return offset + 8
    }
    return beginning + meta(offsets: offsets) + items.flatMap { Self.box("mdat", $0.data) }
  }

  private func meta(offsets: [Int]) -> [UInt8] {
    let locations: [UInt8] = zip(1..., zip(items, offsets)).flatMap { number, item -> [UInt8] in
      Self.number(number, 2) + [0, 0, 0, 1] + Self.number(item.1, 4)
        + Self.number(item.0.data.count, 4)
    }
    let kinds: [UInt8] = zip(1..., items).flatMap { number, item -> [UInt8] in
      let note = item.note.map { "\($0.type)\0\($0.encoding)\0" } ?? ""
      return Self.box(
        "infe",
        [2, 0, 0, 0] + Self.number(number, 2) + [0, 0] + Array("\(item.kind)\0\(note)".utf8))
    }
    var (boxes, associations): ([UInt8], [UInt8]) = ([], [])
    var count = 0
    for (number, item) in zip(1..., items) {
      associations += Self.number(number, 2) + [UInt8(item.properties.count)]
      for box in item.properties {
        count += 1
        boxes += box
        associations.append(UInt8(count))
      }
    }
    let references: [UInt8] = zip(1..., items).flatMap { number, item -> [UInt8] in
      item.references.flatMap { kind, targets in
        Self.box(
          kind,
          Self.number(number, 2) + Self.number(targets.count, 2)
            + targets.flatMap { Self.number($0, 2) })
      }
    }
    let count16 = Self.number(items.count, 2)
    let parts: [(String, [UInt8])] = [
      ("hdlr", [UInt8](repeating: 0, count: 8) + Array("pict".utf8) + Self.number(0, 13)),
      ("pitm", [0, 0, 0, 0, 0, 1]), ("iloc", [0, 0, 0, 0, 0x44, 0] + count16 + locations),
      ("iinf", [0, 0, 0, 0] + count16 + kinds), ("iref", [0, 0, 0, 0] + references),
      (
        "iprp",
        Self.box("ipco", boxes)
          + Self.box("ipma", [0, 0, 0, 0] + Self.number(items.count, 4) + associations)
      ),
    ]
    return Self.box("meta", [0, 0, 0, 0] + parts.flatMap { Self.box($0.0, $0.1) })
  }

  // MARK: Boxes

  static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  static func box(_ kind: String, _ content: [UInt8]) -> [UInt8] {
    number(content.count + 8, 4) + Array(kind.utf8) + content
  }

  /// What a file says about the size of an item.
  static func ispe(_ width: Int, _ height: Int) -> [UInt8] {
    box("ispe", [0, 0, 0, 0] + number(width, 4) + number(height, 4))
  }

  static func irot(_ quarters: UInt8) -> [UInt8] { box("irot", [quarters]) }

  static func clap(_ width: Int, _ height: Int) -> [UInt8] {
    box("clap", [width, 1, height, 1, 0, 1, 0, 1].flatMap { number($0, 4) })
  }

  static let alpha = box("auxC", [0, 0, 0, 0] + Array("urn:mpeg:hevc:2015:auxid:1\0".utf8))

  /// The data of an item that is a grid of others.
  static func grid(_ columns: UInt8, _ rows: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
    [0, 0, rows - 1, columns - 1] + number(width, 2) + number(height, 2)
  }

  /// The data of an item that is others over one another.
  static func overlay(_ width: Int, _ height: Int, of count: Int) -> [UInt8] {
    [0, 0] + [UInt8](repeating: 0, count: 8) + number(width, 2) + number(height, 2)
      + [UInt8](repeating: 0, count: 4 * count)
  }

  /// An item of a file's own: its codec's properties and data.
  static func item(of file: [UInt8], _ number: Int? = nil) throws -> Item {
    try file.withUnsafeBytes { bytes in
      let structure = try HEIFStructure(bytes, .heic)
      let item = structure.items[number ?? structure.primary]!
      return Item(
        kind: item.kind,
        properties: item.properties.filter { ["hvcC", "av1C", "pixi"].contains($0.kind) }
          .map { box($0.kind, Array(bytes[$0.content])) },
        data: structure.withData(of: item) { Array($0) })
    }
  }

  // MARK: Codecs

  /// A picture of HEVC that has nothing but headers.
  ///
  /// - Parameters:
  ///   - chroma: 0 for gray, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  ///   - isInData: whether the parameter set is among the data rather than in `hvcC`.
  static func hevc(
    _ width: Int, _ height: Int, chroma: Int = 1, depth: Int = 8, isInData: Bool = false
  ) -> Item {
    var bits = Bits()
    // No layers; a profile and level of ones.
    bits.put(1, 8)
    for _ in 0..<12 { bits.put(0xFF, 8) }
    for value in [0, chroma] { bits.putGolomb(value) }
    if chroma == 3 { bits.put(0, 1) }
    for value in [width, height] { bits.putGolomb(value) }
    bits.put(0, 1)
    for value in [depth - 8, depth - 8] { bits.putGolomb(value) }
    bits.put(0xFFFF, 16)
    let unit = [0x42, 0x01] + bits.bytes
    let list = [0x21, 0, 1] + number(unit.count, 2) + unit
    return Item(
      kind: "hvc1",
      properties: [
        box(
          "hvcC",
          [UInt8](repeating: 0, count: 22) + (isInData ? [0] : [1] + list)), ispe(64, 64),
      ], data: isInData ? number(unit.count, 4) + unit : [])
  }

  /// Numbers as codecs write them, the most significant bit first.
  private struct Bits {
    var bytes: [UInt8] = []
    private var count = 0

    mutating func put(_ value: Int, _ size: Int) {
      for bit in (0..<size).reversed() {
        if count % 8 == 0 { bytes.append(0) }
        bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << UInt8(7 - count % 8)
        count += 1
      }
    }

    mutating func putGolomb(_ value: Int) {
      let size = Int.bitWidth - (value + 1).leadingZeroBitCount
      put(0, size - 1)
      put(value + 1, size)
    }
  }
}
