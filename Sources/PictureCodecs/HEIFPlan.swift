internal import FoundationEssentials

/// The result of decoding an item of a HEIC or AVIF file, and its cost.
///
/// Codecs count and not `ispe`: that is what a file says about itself.
struct HEIFPlan {
  /// The size that is made: cropped, and turned.
  private(set) var size: PixelSize
  /// The largest of the pictures that are decoded for it.
  private(set) var largest: PixelSize
  /// The bits of a sample.
  private(set) var depth: Int
  /// Whether it is gray, and black is 16 of 8 bits.
  private(set) var isNarrowGray: Bool
  private(set) var hasAlpha = false
  /// Whether all transparency has the size of its picture.
  ///
  /// libheif 1.15 reads past the end of smaller ones.
  private(set) var alphaFits = true
  /// The bytes that are taken until there are planes of red, green and blue.
  private var decoding: Double
  /// The bytes of small tiles that the allocator keeps afterwards.
  private var kept = 0.0

  /// The number of tiles that libheif decodes at a time.
  private static let tilesAtATime = 4

  /// The bytes of memory that decoding to RGBA takes, with libheif 1.15.
  ///
  /// The planes, those of 8 bits if they have more, and the pixels, unless decoding has taken more;
  /// and what the libraries take for themselves and their threads.
  var memory: Int {
    let planes = (hasAlpha ? 4.0 : 3) * (depth > 8 ? 3 : 1) + 4
    let own = 1_100_000 + 300_000 * Double(ProcessInfo.processInfo.activeProcessorCount)
    return Int(min(max(decoding, Self.area(size) * planes + kept) + own, 1e15))
  }

  /// Reads what the codecs say of an item; nil means the primary one.
  ///
  /// Throws a ``PictureError``.
  init(_ file: HEIFStructure, item: Int? = nil) throws {
    var known: [Int: HEIFPlan] = [:]
    self = try Self.plan(item ?? file.primary, in: file, depth: 0, &known)
  }

  /// - Parameter depth: of items that are made of others.
  private static func plan(
    _ number: Int, in file: HEIFStructure, depth: Int, _ known: inout [Int: HEIFPlan]
  ) throws -> HEIFPlan {
    if let plan = known[number] { return plan }
    guard let item = file.items[number], depth < 4 else {
      throw PictureError(.damaged, detail: "a picture is not in the file")
    }
    var plan: HEIFPlan
    switch item.kind {
    case "hvc1", "av01": plan = try HEIFPlan(coded: item, file)
    // Not overlays: libheif 1.15 reads past the end of pictures that are not all on the canvas.
    case "grid", "iden":
      let sources = item.references["dimg"] ?? []
      // Tiles of tiles would multiply (ISO/IEC 23000-22 has none).
      guard item.kind != "grid" || sources.allSatisfy({ file.items[$0]?.isCoded == true }) else {
        throw PictureError(.unsupported(file.format), detail: "tiles that are made of others")
      }
      let parts = try sources.map { try Self.plan($0, in: file, depth: depth + 1, &known) }
      guard let first = parts.first else {
        throw PictureError(.damaged, detail: "a picture is made of none")
      }
      plan = item.kind == "iden" ? first : try HEIFPlan(grid: item, of: parts, file)
    default: throw PictureError(.unsupported(file.format), detail: "an item \(item.kind)")
    }
    try plan.apply(item.properties, file)
    for other in item.auxiliaries
    where file.items[other]?.properties.contains(where: { Self.isAlpha($0, file) }) == true {
      try plan.add(alpha: Self.plan(other, in: file, depth: depth + 1, &known))
    }
    known[number] = plan
    return plan
  }

  private init(coded item: HEIFStructure.Item, _ file: HEIFStructure) throws {
    let kind = item.kind == "hvc1" ? "hvcC" : "av1C"
    guard let box = item.properties.first(where: { $0.kind == kind }) else {
      throw PictureError(.damaged, detail: "an item has no \(kind)")
    }
    let configuration = UnsafeRawBufferPointer(rebasing: file.bytes[box.content])
    let picture = try file.withData(of: item) { data in
      try kind == "hvcC"
        ? CodedPicture(hevc: configuration, data) : CodedPicture(av1: configuration, data)
    }
    (size, largest, depth) = (picture.shown, picture.stored, picture.depth)
    isNarrowGray = picture.samples == 1 && picture.isNarrow
    // Measured with libheif 1.15, libde265 1.0.11 and dav1d 1.0: the decoder's planes and those of
    // libheif; dav1d's coefficients, of twice the size; and what each knows about its blocks.
    let planes = picture.samples * (depth > 8 ? 2 : 1)
    let each = kind == "hvcC" ? 2 * planes + 1.3 : 4 * planes + (depth > 8 ? 2.8 : 2.1)
    let bytes = item.extents.reduce(0) { $0 + $1.count }
    decoding = Self.area(largest) * each * Double(picture.count) + 2 * Double(bytes)
  }

  private init(grid item: HEIFStructure.Item, of parts: [HEIFPlan], _ file: HEIFStructure) throws {
    var (columns, rows, canvas) = (0, 0, PixelSize(width: 0, height: 0))
    try file.withData(of: item) { data in
      var reader = HEIFStructure.Reader(data, 0..<data.count)
      let size = try reader.number(2) & 1 == 0 ? 2 : 4
      (rows, columns) = try (reader.number(1) + 1, reader.number(1) + 1)
      canvas = PixelSize(width: try reader.number(size), height: try reader.number(size))
    }
    let tile = parts[0]
    // ISO/IEC 23008-12, 6.6.2.3: tiles of one size cover the canvas, and none lies outside.
    guard parts.count == columns * rows, parts.allSatisfy({ $0.size == tile.size }),
      (tile.size.width * (columns - 1) + 1...tile.size.width * columns).contains(canvas.width),
      (tile.size.height * (rows - 1) + 1...tile.size.height * rows).contains(canvas.height)
    else { throw PictureError(.damaged, detail: "tiles do not cover the picture") }
    self = tile
    size = canvas
    largest = (parts.map(\.largest) + [canvas]).max { Self.area($0) < Self.area($1) } ?? canvas
    hasAlpha = parts.contains(where: \.hasAlpha)
    alphaFits = parts.allSatisfy(\.alphaFits)
    let tiles = (parts.map(\.decoding).max() ?? 0) * Double(min(Self.tilesAtATime, parts.count))
    decoding = Self.area(canvas) * (hasAlpha ? 4 : 3) * bytesPerSample + tiles
    // Each thread has an arena, from which only large blocks are given back (Memory.swift).
    if Self.area(tile.size) * bytesPerSample < 384 * 1_024 { kept = tiles }
  }

  private var bytesPerSample: Double { depth > 8 ? 2 : 1 }

  /// Applies properties in their order: a size after turning is not that before.
  private mutating func apply(_ properties: [HEIFStructure.Box], _ file: HEIFStructure) throws {
    for box in properties {
      var reader = HEIFStructure.Reader(file.bytes, box.content)
      // Turning and cropping copy the planes.
      if box.kind == "irot" || box.kind == "clap" {
        decoding = max(decoding, Self.area(largest) * 6 * bytesPerSample)
      }
      switch box.kind {
      case "irot" where try reader.number(1) & 1 == 1: swap(&size.width, &size.height)
      case "clap":
        let sides = try (0..<4).map { _ in try reader.number(4) }
        guard sides[1] > 0, sides[3] > 0 else {
          throw PictureError(.damaged, detail: "a side is a fraction of 0")
        }
        size.width = min(size.width, (sides[0] + sides[1] / 2) / sides[1])
        size.height = min(size.height, (sides[2] + sides[3] / 2) / sides[3])
      case "colr" where try reader.number(4) == 0x6E63_6C78:
        // "nclx": three codes, and whether the range is full.
        _ = try reader.number(6)
        isNarrowGray = try isNarrowGray && reader.number(1) < 0x80
      default: continue
      }
    }
    guard size.width > 0, size.height > 0 else {
      throw PictureError(.damaged, detail: "a side is 0")
    }
  }

  private mutating func add(alpha: HEIFPlan) {
    hasAlpha = true
    alphaFits = alphaFits && alpha.size == size && alpha.alphaFits
    largest = Self.area(alpha.largest) > Self.area(largest) ? alpha.largest : largest
    decoding = max(decoding, Self.area(size) * 3 * bytesPerSample + alpha.decoding)
  }

  private static func isAlpha(_ box: HEIFStructure.Box, _ file: HEIFStructure) -> Bool {
    box.kind == "auxC"
      && [
        "urn:mpeg:avc:2015:auxid:1", "urn:mpeg:hevc:2015:auxid:1",
        "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha",
      ].contains { file.bytes.holds(Array($0.utf8) + [0], at: box.content.lowerBound + 4) }
  }

  private static func area(_ size: PixelSize) -> Double { Double(size.width) * Double(size.height) }
}
