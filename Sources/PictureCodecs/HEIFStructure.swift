/// The boxes of a HEIC or AVIF file, without its pixels (ISO/IEC 14496-12, 23008-12).
///
/// What readers could take in two ways is damage, so that no decoder sees another picture than the
/// one whose size was checked.
struct HEIFStructure {
  struct Box {
    /// Its four letters.
    let kind: String
    let content: Range<Int>
  }

  /// A picture, or something that a file says about one.
  struct Item {
    /// Its four letters, such as `hvc1`, `grid` and `Exif`.
    let kind: String
    /// The place of its name, and of what else a file says about a note.
    let name: Range<Int>
    /// The place where the name of its compression begins; nil if it is stored as it is.
    let encoding: Int?
    /// The places of its bytes in the file.
    fileprivate(set) var extents: [Range<Int>] = []
    fileprivate(set) var properties: [Box] = []
    /// The items that it refers to, by the kind of the reference.
    fileprivate(set) var references: [String: [Int]] = [:]
    /// The items that add something to it, such as transparency.
    fileprivate(set) var auxiliaries: [Int] = []

    /// Whether its bytes are those of a codec that libheif 1.15 knows.
    var isCoded: Bool { kind == "hvc1" || kind == "av01" }
  }

  /// The number of items up to which files are read: a picture of 200 megapixels has 800 tiles.
  ///
  /// libheif 1.15 takes a time that grows with its square: 3 s for twice as many.
  private static let itemLimit = 2_048

  let bytes: UnsafeRawBufferPointer
  let format: PictureFormat
  /// The boxes at the top, as far as they are whole.
  let top: [Box]
  let meta: [Box]
  /// The properties of all items, in their order.
  private(set) var properties: [Box] = []
  private(set) var items: [Int: Item] = [:]
  /// The number of the picture to show.
  private(set) var primary = 0

  /// Reads the boxes.
  ///
  /// Throws a ``PictureError``.
  ///
  /// - Complexity: O(boxes + items).
  init(_ bytes: UnsafeRawBufferPointer, _ format: PictureFormat) throws {
    (self.bytes, self.format) = (bytes, format)
    top = Self.boxes(in: 0..<bytes.count, of: bytes)
    guard let box = try Self.only("meta", among: top) else { throw PictureError(.incomplete) }
    // Its first four bytes are a version and flags.
    meta = try Self.wholeBoxes(in: box.content.dropFirst(4), of: bytes)
    var reader = try reader("pitm")
    primary = try reader.number(try reader.version() == 0 ? 2 : 4)
    try readItems()
    try readExtents()
    try readProperties()
    try readReferences()
  }

  /// The numbers of the small versions of the picture to show.
  var thumbnails: [Int] {
    items.filter { $0.value.references["thmb"]?.contains(primary) == true }.keys.sorted()
  }

  /// The offset behind the last whole box at the top.
  var end: Int { top.last?.content.upperBound ?? 0 }

  /// Returns the box of a kind in `meta`; nil if there is none.
  func box(_ kind: String) throws -> Box? { try Self.only(kind, among: meta) }

  /// Calls a function with the bytes of an item, which are copied only if they are in pieces.
  func withData<Result>(
    of item: Item, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    if item.extents.count == 1 {
      return try body(UnsafeRawBufferPointer(rebasing: bytes[item.extents[0]]))
    }
    return try item.extents.flatMap { bytes[$0] }.withUnsafeBytes(body)
  }

  // MARK: Boxes

  /// Returns the boxes of a range up to the first that does not fit into it.
  private static func boxes(in range: Range<Int>, of bytes: UnsafeRawBufferPointer) -> [Box] {
    var (offset, boxes) = (range.lowerBound, [Box]())
    while offset + 8 <= range.upperBound, var size = bytes.bigEndian32(at: offset) {
      var start = offset + 8
      if size == 1 {
        // A size of 64 bits, none of which are needed for what can be in memory.
        guard let high = bytes.bigEndian32(at: offset + 8), high < 1 << 16,
          let low = bytes.bigEndian32(at: offset + 12)
        else { break }
        (size, start) = (high << 32 | low, offset + 16)
      } else if size == 0 {
        size = range.upperBound - offset
      }
      guard start <= offset + size, offset + size <= range.upperBound else { break }
      let kind = String(decoding: bytes[offset + 4..<offset + 8], as: UTF8.self)
      boxes.append(Box(kind: kind, content: start..<offset + size))
      offset += size
    }
    return boxes
  }

  /// Returns the boxes of a range, which must fill it.
  private static func wholeBoxes(
    in range: Range<Int>, of bytes: UnsafeRawBufferPointer
  ) throws -> [Box] {
    let boxes = boxes(in: range, of: bytes)
    guard boxes.last?.content.upperBound ?? range.lowerBound == range.upperBound else {
      throw damaged("a box does not fit into its place")
    }
    return boxes
  }

  /// Returns the only box of a kind; nil if there is none.
  private static func only(_ kind: String, among boxes: [Box]) throws -> Box? {
    let found = boxes.filter { $0.kind == kind }
    guard found.count < 2 else { throw damaged("there are several boxes \(kind)") }
    return found.first
  }

  fileprivate static func damaged(_ detail: String) -> PictureError {
    PictureError(.damaged, detail: detail)
  }

  struct Reader {
    let bytes: UnsafeRawBufferPointer
    private(set) var rest: Range<Int>

    init(_ bytes: UnsafeRawBufferPointer, _ rest: Range<Int>) {
      (self.bytes, self.rest) = (bytes, rest)
    }

    /// Reads a number of at most eight bytes, which must be below 2^48.
    mutating func number(_ size: Int) throws -> Int {
      guard size <= rest.count else { throw HEIFStructure.damaged("a box is too short") }
      var value = 0
      for byte in bytes[rest.prefix(size)] {
        guard value < 1 << 40 else { throw HEIFStructure.damaged("a number is too large") }
        value = value << 8 | Int(byte)
      }
      rest = rest.dropFirst(size)
      return value
    }

    /// Reads a version, and passes over flags.
    mutating func version() throws -> Int { try number(4) >> 24 }
  }

  /// Returns a reader of the content of a box in `meta`, which must be there.
  private func reader(_ kind: String) throws -> Reader {
    guard let box = try box(kind) else { throw Self.damaged("there is no box \(kind)") }
    return Reader(bytes, box.content)
  }

  // MARK: Items

  /// Reads the kinds of the items (`iinf`, with an `infe` for each).
  private mutating func readItems() throws {
    var list = try reader("iinf")
    _ = try list.number(try list.version() == 0 ? 2 : 4)
    let entries = try Self.wholeBoxes(in: list.rest, of: bytes)
    guard entries.count <= Self.itemLimit else { throw Self.damaged("there are too many items") }
    for entry in entries where entry.kind == "infe" {
      var reader = Reader(bytes, entry.content)
      let version = try reader.version()
      let number = try reader.number(version == 3 ? 4 : 2)
      // Older versions have no kind: notes.
      var (kind, encoding) = ("", Int?.none)
      if version >= 2 {
        _ = try reader.number(2)
        kind = String(decoding: bytes[reader.rest.prefix(4)], as: UTF8.self)
        _ = try reader.number(4)
        // A name, a media type, and the kind of its compression, each with a zero at its end.
        let strings = bytes[reader.rest].split(
          separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        if kind == "mime", strings.count > 2, !strings[2].isEmpty {
          encoding = strings[2].startIndex
        }
      }
      let item = Item(kind: kind, name: reader.rest, encoding: encoding)
      guard items.updateValue(item, forKey: number) == nil else {
        throw Self.damaged("two items have the same number")
      }
    }
  }

  /// Reads where the items are (`iloc`).
  private mutating func readExtents() throws {
    var reader = try reader("iloc")
    let version = try reader.version()
    let sizes = try reader.number(2)
    let (place, length, base) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let index = version == 0 ? 0 : sizes & 15
    guard [place, length, base].allSatisfy({ [0, 4, 8].contains($0) }),
      // Before version 2, libheif does not read it.
      index == 0 || version == 2 && [4, 8].contains(index)
    else { throw Self.damaged("a size of numbers is \(sizes)") }
    let inline = try box("idat")?.content
    var (located, total): (Set<Int>, Int) = ([], 0)
    for _ in 0..<(try reader.number(version < 2 ? 2 : 4)) {
      let item = try reader.number(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try reader.number(2) & 15
      _ = try reader.number(2)
      let start = try reader.number(base)
      guard method < 2 else { throw PictureError(.unsupported(format), detail: "items of items") }
      guard located.insert(item).inserted else {
        throw Self.damaged("an item is in two places")
      }
      for _ in 0..<(try reader.number(2)) {
        _ = try reader.number(index)
        let begin = try start + reader.number(place)
        let count = try reader.number(length)
        let limits = method == 1 ? inline ?? 0..<0 : 0..<bytes.count
        guard begin + count <= limits.count else { throw PictureError(.incomplete) }
        let first = limits.lowerBound + begin
        items[item]?.extents.append(first..<first + count)
        total += count
      }
    }
    // Tiles may share their bytes. libheif copies those of each item.
    guard total <= 2 * bytes.count + 16_000_000 else { throw Self.damaged("items overlap") }
  }

  /// Reads the properties of the items (`iprp`).
  private mutating func readProperties() throws {
    let boxes = try Self.wholeBoxes(in: try reader("iprp").rest, of: bytes)
    guard let list = try Self.only("ipco", among: boxes) else {
      throw Self.damaged("there is no box ipco")
    }
    properties = try Self.wholeBoxes(in: list.content, of: bytes)
    var known: Set<Int> = []
    for box in boxes where box.kind == "ipma" {
      var reader = Reader(bytes, box.content)
      let flags = try reader.number(4)
      for _ in 0..<(try reader.number(4)) {
        let item = try reader.number(flags < 1 << 24 ? 2 : 4)
        guard known.insert(item).inserted else {
          throw Self.damaged("an item has two lists of properties")
        }
        for _ in 0..<(try reader.number(1)) {
          // The first bit says that a reader must know it.
          let index = try flags & 1 == 0 ? reader.number(1) & 0x7F : reader.number(2) & 0x7FFF
          guard index <= properties.count else { throw Self.damaged("a property is missing") }
          if index > 0 { items[item]?.properties.append(properties[index - 1]) }
        }
      }
    }
  }

  /// Reads which items refer to which others (`iref`).
  private mutating func readReferences() throws {
    guard let box = try box("iref") else { return }
    var list = Reader(bytes, box.content)
    let size = try list.version() == 0 ? 2 : 4
    for box in try Self.wholeBoxes(in: list.rest, of: bytes) {
      var reader = Reader(bytes, box.content)
      let from = try reader.number(size)
      let targets = try (0..<(try reader.number(2))).map { _ in try reader.number(size) }
      guard var item = items[from] else { continue }
      if box.kind == "dimg", item.references[box.kind] != nil {
        throw Self.damaged("an item is made of two lists of others")
      }
      item.references[box.kind, default: []] += targets
      items[from] = item
      if box.kind == "auxl" { for item in targets { items[item]?.auxiliaries.append(from) } }
    }
  }
}
