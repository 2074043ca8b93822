/// Removes what a HEIC or AVIF file says beside its pictures (ISO/IEC 14496-12, 23008-12).
///
/// Bytes are overwritten by zeros and not taken out, since places in the file are counted from its
/// beginning.
struct HEIFStripper {
  private let bytes: UnsafeRawBufferPointer
  private var stripped: [UInt8]

  /// The kinds of items that are pictures or made of pictures; others are notes.
  private static let pictures: Set<String> = [
    "hvc1", "hev1", "lhv1", "av01", "avc1", "jpeg", "j2k1", "grid", "iden", "iovl", "tmap", "mask",
  ]

  /// The boxes that stay, at the top and in the list of items.
  private static let kept: Set<String> = [
    "ftyp", "meta", "mdat", "hdlr", "pitm", "iinf", "iloc", "iprp", "iref", "idat", "dinf", "grpl",
  ]

  /// A box of the file: its kind, and its content.
  private struct Box {
    let kind: String
    let content: Range<Int>
  }

  /// Where the bytes of an item are.
  private struct Extent {
    let item: Int
    /// Whether it is in the `idat` box rather than in the file.
    let isInline: Bool
    let range: Range<Int>
  }

  /// Returns the file without its notes; nil if it is damaged, or has tracks besides.
  static func strip(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var stripper = HEIFStripper(bytes: bytes, stripped: Array(bytes))
    return stripper.strip() ? stripper.stripped : nil
  }

  private mutating func strip() -> Bool {
    guard let top = boxes(in: 0..<bytes.count), !top.contains(where: { $0.kind == "moov" }),
      let meta = top.first(where: { $0.kind == "meta" }), meta.content.count >= 4,
      // Its first four bytes are a version and flags.
      let boxes = boxes(in: meta.content.lowerBound + 4..<meta.content.upperBound),
      let list = boxes.first(where: { $0.kind == "iinf" }), let kinds = kinds(list.content),
      let locations = boxes.first(where: { $0.kind == "iloc" }),
      let extents = extents(locations.content)
    else { return false }
    let inline = boxes.first { $0.kind == "idat" }?.content
    // Only what belongs to a picture stays of the data.
    let own = extents.filter { Self.pictures.contains(kinds[$0.item] ?? "") }
    for box in top where box.kind == "mdat" {
      blank(box.content, except: own.filter { !$0.isInline }.map(\.range))
    }
    if let inline {
      blank(
        inline,
        except: own.filter(\.isInline).map {
          $0.range.lowerBound + inline.lowerBound..<$0.range.upperBound + inline.lowerBound
        })
    }
    for box in top + boxes where !Self.kept.contains(box.kind) { blank(box.content, except: []) }
    return true
  }

  private mutating func blank(_ range: Range<Int>, except kept: [Range<Int>]) {
    var start = range.lowerBound
    for kept in kept.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if start < kept.lowerBound { zero(start..<min(kept.lowerBound, range.upperBound)) }
      start = max(start, kept.upperBound)
    }
    if start < range.upperBound { zero(start..<range.upperBound) }
  }

  private mutating func zero(_ range: Range<Int>) {
    for index in range { stripped[index] = 0 }
  }

  /// Returns the boxes of a range; nil if they do not fit into it.
  private func boxes(in range: Range<Int>) -> [Box]? {
    var (offset, boxes) = (range.lowerBound, [Box]())
    while offset < range.upperBound {
      guard var size = bytes.bigEndian32(at: offset), offset + 8 <= range.upperBound else {
        return nil
      }
      var start = offset + 8
      if size == 1 {
        guard let high = bytes.bigEndian32(at: offset + 8), high < 1 << 20,
          let low = bytes.bigEndian32(at: offset + 12)
        else { return nil }
        (size, start) = (high << 32 | low, offset + 16)
      } else if size == 0 {
        size = range.upperBound - offset
      }
      guard offset + size <= range.upperBound, start <= offset + size else { return nil }
      let kind = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      boxes.append(Box(kind: kind, content: start..<offset + size))
      offset += size
    }
    return boxes
  }

  /// Returns the kinds of the items by their numbers (`iinf`, with an `infe` for each).
  private func kinds(_ content: Range<Int>) -> [Int: String]? {
    // A version and flags, then the number of items.
    guard let version = bytes.byte(at: content.lowerBound), content.count >= 8,
      let entries = boxes(
        in: content.lowerBound + (version == 0 ? 6 : 8)..<content.upperBound)
    else { return nil }
    var kinds: [Int: String] = [:]
    for entry in entries where entry.kind == "infe" {
      let start = entry.content.lowerBound
      guard let version = bytes.byte(at: start), version >= 2,
        let item = version == 2
          ? bytes.bigEndian16(at: start + 4) : bytes.bigEndian32(at: start + 4)
      else { return nil }
      let kind = start + (version == 2 ? 8 : 10)
      guard kind + 4 <= entry.content.upperBound else { return nil }
      kinds[item] = String(decoding: bytes[kind..<kind + 4], as: UTF8.self)
    }
    return kinds
  }

  /// Reads where the items are (`iloc`).
  private func extents(_ content: Range<Int>) -> [Extent]? {
    var offset = content.lowerBound
    func number(_ size: Int) -> Int? {
      guard size > 0 else { return 0 }
      guard size <= 8, offset + size <= content.upperBound else { return nil }
      var value = 0
      for byte in bytes[offset..<offset + size] {
        guard value < 1 << 48 else { return nil }
        value = value << 8 | Int(byte)
      }
      offset += size
      return value
    }
    guard let version = number(1), number(3) != nil, let sizes = number(2),
      let count = number(version < 2 ? 2 : 4)
    else { return nil }
    let (place, length, base, index) = (
      sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15, version == 0 ? 0 : sizes & 15
    )
    var extents: [Extent] = []
    for _ in 0..<count {
      guard let item = number(version < 2 ? 2 : 4), let method = version == 0 ? 0 : number(2),
        number(2) != nil, let start = number(base), let count = number(2)
      else { return nil }
      // Of another method are items that are made of others.
      guard method & 15 < 2 else { return nil }
      for _ in 0..<count {
        guard number(index) != nil, let own = number(place), let length = number(length),
          start + own + length <= bytes.count
        else { return nil }
        let begin = start + own
        extents.append(
          Extent(item: item, isInline: method & 15 == 1, range: begin..<begin + length))
      }
    }
    return extents
  }
}
