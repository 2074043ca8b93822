extension CodedPicture {
  /// Reads the parameter sets of HEVC (ITU-T H.265): those in `hvcC` and those among the data.
  ///
  /// Throws a ``PictureError``.
  ///
  /// - Parameters:
  ///   - configuration: the content of `hvcC` (ISO/IEC 14496-15, 8.3.3.1).
  ///   - data: of the item, as units with a length of four bytes, which libheif takes for granted.
  /// - Complexity: O(units).
  init(hevc configuration: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer) throws {
    var units = HEVCUnits()
    var offset = 23
    for _ in 0..<(configuration.byte(at: 22) ?? 0) {
      // The kind of the units, and their number.
      let count = configuration.bigEndian16(at: offset + 1) ?? 0
      offset += 3
      for _ in 0..<count {
        guard let length = configuration.bigEndian16(at: offset) else { break }
        offset += 2 + length
        guard offset <= configuration.count else { break }
        try units.add(UnsafeRawBufferPointer(rebasing: configuration[offset - length..<offset]))
      }
    }
    offset = 0
    while let length = data.bigEndian32(at: offset), offset + 4 + length <= data.count {
      offset += 4 + length
      try units.add(UnsafeRawBufferPointer(rebasing: data[offset - length..<offset]))
    }
    guard var picture = units.picture else {
      throw PictureError(.damaged, detail: "there is no parameter set")
    }
    // The references of a picture that is no clean beginning are made up, each a picture of its
    // own: libde265 has at most 16.
    picture.count = max(1, units.pictureCount) + (units.isClean ? 0 : 16)
    self = picture
  }
}

/// The relevant units of a HEVC picture.
private struct HEVCUnits {
  var picture: CodedPicture?
  var pictureCount = 0
  var isClean = true

  mutating func add(_ unit: UnsafeRawBufferPointer) throws {
    // Other layers, which have a number, are not decoded (7.3.1.2).
    guard let header = unit.bigEndian16(at: 0), header >> 3 & 63 == 0 else { return }
    let kind = header >> 9 & 63
    if kind == 33 {
      picture = try .agreed(picture, Self.picture(parameterSet: unit))
    } else if kind < 32 {
      // Of a picture in several slices, the first one says so.
      if let first = unit.byte(at: 2), first >= 0x80 { pictureCount += 1 }
      isClean = isClean && (19...20).contains(kind)
    }
  }

  /// Reads a sequence parameter set up to the depth of the samples (7.3.2.2.1).
  private static func picture(parameterSet unit: UnsafeRawBufferPointer) throws -> CodedPicture {
    var zeros = 0
    // A 3 after two zeros only keeps them from looking like the beginning of a unit.
    let payload = unit.dropFirst(2).prefix(512).filter { byte in
      let isPayload = zeros < 2 || byte != 3
      zeros = byte == 0 ? zeros + 1 : 0
      return isPayload
    }
    var reader = BitReader(payload)
    try reader.skip(4)
    let layers = try reader.bits(3)
    // A flag, and the general profile and level.
    try reader.skip(1 + 96)
    let presence = try (0..<layers).map { _ in (try reader.flag(), try reader.flag()) }
    if layers > 0 { try reader.skip(2 * (8 - layers)) }
    for (hasProfile, hasLevel) in presence {
      try reader.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
    }
    _ = try reader.golomb()
    let chroma = try reader.golomb()
    guard chroma < 4 else { throw PictureError(.damaged, detail: "the chroma format is \(chroma)") }
    if chroma == 3 { try reader.skip(1) }
    // Far above all limits, so that no product of the sides overflows.
    let stored = PixelSize(
      width: min(try reader.golomb(), 1 << 20), height: min(try reader.golomb(), 1 << 20))
    var shown = stored
    if try reader.flag() {
      // The window that is shown, in samples of chroma.
      let (across, down) = (chroma == 1 || chroma == 2 ? 2 : 1, chroma == 1 ? 2 : 1)
      shown.width -= try (reader.golomb() + reader.golomb()) * across
      shown.height -= try (reader.golomb() + reader.golomb()) * down
    }
    guard shown.width > 0, shown.height > 0 else {
      throw PictureError(.damaged, detail: "a side is 0")
    }
    let depths = try (reader.golomb(), reader.golomb())
    return CodedPicture(
      stored: stored, shown: shown, samples: [1, 1.5, 2, 3][chroma],
      depth: max(depths.0, depths.1) + 8)
  }
}
