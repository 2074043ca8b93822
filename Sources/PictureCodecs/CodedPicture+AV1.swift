extension CodedPicture {
  /// Reads the headers of AV1: those in `av1C`, and those among the data.
  ///
  /// The format is documented at https://aomediacodec.github.io/av1-spec/ (5.3 to 5.9). Throws a
  /// ``PictureError``.
  ///
  /// - Parameters:
  ///   - configuration: the content of `av1C`, four bytes and then units as in the data.
  ///   - data: of the item.
  /// - Complexity: O(units).
  init(av1 configuration: UnsafeRawBufferPointer, _ data: UnsafeRawBufferPointer) throws {
    var units = AV1Units()
    try units.read(UnsafeRawBufferPointer(rebasing: configuration.dropFirst(4)), isLast: false)
    try units.read(data, isLast: true)
    guard let sequence = units.sequence else {
      throw PictureError(.damaged, detail: "there is no sequence header")
    }
    self = sequence.picture
    if units.hasOwnSize { stored = sequence.most }
    // dav1d holds eight for reference, and those that its threads work on.
    count *= min(max(1, units.frameCount), 16)
  }
}

/// The relevant units of an AV1 picture.
private struct AV1Units {
  /// A sequence header (5.5), as far as it counts.
  struct Sequence {
    var picture: CodedPicture
    /// The largest size that a frame can have which has another one.
    var most: PixelSize
    var isReduced: Bool
    /// The bits of a frame's time, if it has one.
    var timeBits = 0
    var idBits = 0
    /// Whether each frame says if it has such tools, or whether all of them have.
    var screenTools = Choice.each
    var wholeMotion = Choice.each

    enum Choice { case none, all, each }
  }

  private(set) var sequence: Sequence?
  private(set) var frameCount = 0
  /// Whether a frame has another size than the sequence.
  private(set) var hasOwnSize = false

  /// Reads units (5.3).
  ///
  /// - Parameter isLast: whether nothing follows, so that the last unit need not have a length.
  mutating func read(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws {
    var offset = 0
    while let header = bytes.byte(at: offset) {
      offset += header & 4 == 0 ? 1 : 2
      var length = bytes.count - offset
      if header & 2 != 0 {
        length = 0
        // Seven bits a byte, the lowest first (4.10.5).
        for shift in stride(from: 0, to: 56, by: 7) {
          guard let byte = bytes.byte(at: offset) else { break }
          offset += 1
          length |= Int(byte & 0x7F) << shift
          if byte < 0x80 { break }
        }
      } else if !isLast {
        length = -1
      }
      guard length >= 0, offset + length <= bytes.count else {
        throw PictureError(isLast ? .incomplete : .damaged, detail: "a unit of AV1 has no end")
      }
      try add(header >> 3 & 15, UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
      offset += length
    }
  }

  private mutating func add(_ kind: UInt8, _ unit: UnsafeRawBufferPointer) throws {
    guard [1, 3, 6].contains(kind) else { return }
    // Their headers are far shorter.
    var reader = BitReader(unit.prefix(512))
    if kind == 1 {
      let found = try Self.sequence(&reader)
      _ = try CodedPicture.agreed(sequence?.picture, found.picture)
      sequence = found
    } else if let sequence {
      frameCount += 1
      hasOwnSize = try Self.hasOwnSize(&reader, sequence) || hasOwnSize
    }
  }

  /// Returns whether a frame has another size than its sequence (5.9.2).
  private static func hasOwnSize(_ reader: inout BitReader, _ sequence: Sequence) throws -> Bool {
    // One that is shown again has no size of its own.
    if try sequence.isReduced || reader.flag() { return false }
    let kind = try reader.bits(2)
    let isShown = try reader.flag()
    if isShown { try reader.skip(sequence.timeBits) } else { try reader.skip(1) }
    if kind != 3, !(kind == 0 && isShown) { try reader.skip(1) }
    try reader.skip(1)
    let usesScreenTools =
      switch sequence.screenTools {
      case .none: false
      case .all: true
      case .each: try reader.flag()
      }
    if usesScreenTools, sequence.wholeMotion == .each { try reader.skip(1) }
    try reader.skip(sequence.idBits)
    return try kind == 3 || reader.flag()
  }

  private static func sequence(_ reader: inout BitReader) throws -> Sequence {
    let profile = try reader.bits(3)
    try reader.skip(1)
    let isReduced = try reader.flag()
    var timeBits = 0
    if isReduced { try reader.skip(5) } else { timeBits = try operatingPoints(&reader) }
    let (widthBits, heightBits) = (try reader.bits(4) + 1, try reader.bits(4) + 1)
    let size = PixelSize(
      width: try reader.bits(widthBits) + 1, height: try reader.bits(heightBits) + 1)
    var sequence = Sequence(
      picture: CodedPicture(stored: size, shown: size, samples: 1, depth: 8),
      most: PixelSize(width: 1 << widthBits, height: 1 << heightBits), isReduced: isReduced,
      timeBits: timeBits)
    if try !isReduced && reader.flag() {
      sequence.idBits = try reader.bits(4) + 2
      sequence.idBits += try reader.bits(3) + 1
    }
    try reader.skip(3)
    if !isReduced { try tools(&reader, &sequence) }
    let hasSuperResolution = try reader.flag()
    try reader.skip(2)
    try color(&reader, profile, &sequence.picture)
    let hasGrain = try reader.flag()
    // Each is one more picture.
    sequence.picture.count += (hasSuperResolution ? 1 : 0) + (hasGrain ? 1 : 0)
    return sequence
  }

  /// Passes over the operating points; returns how many bits the time of a frame has.
  private static func operatingPoints(_ reader: inout BitReader) throws -> Int {
    var (timeBits, delayBits) = (0, 0)
    if try reader.flag() {
      try reader.skip(64)
      let isEven = try reader.flag()
      if isEven { _ = try reader.golomb() }
      if try reader.flag() {
        delayBits = try reader.bits(5) + 1
        try reader.skip(32 + 5)
        let bits = try reader.bits(5) + 1
        if !isEven { timeBits = bits }
      }
    }
    let hasDelays = try reader.flag()
    for _ in 0...(try reader.bits(5)) {
      try reader.skip(12)
      if try reader.bits(5) > 7 { try reader.skip(1) }
      if try delayBits > 0 && reader.flag() { try reader.skip(2 * delayBits + 1) }
      if try hasDelays && reader.flag() { try reader.skip(4) }
    }
    return timeBits
  }

  private static func tools(_ reader: inout BitReader, _ sequence: inout Sequence) throws {
    try reader.skip(4)
    let hasOrder = try reader.flag()
    if hasOrder { try reader.skip(2) }
    if try !reader.flag() { sequence.screenTools = try reader.flag() ? .all : .none }
    if sequence.screenTools != .none, try !reader.flag() {
      sequence.wholeMotion = try reader.flag() ? .all : .none
    }
    if hasOrder { try reader.skip(3) }
  }

  private static func color(
    _ reader: inout BitReader, _ profile: Int, _ picture: inout CodedPicture
  ) throws {
    if try reader.flag() {
      picture.depth = try profile == 2 && reader.flag() ? 12 : 10
    }
    let isGray = try profile != 1 && reader.flag()
    var code = 0
    if try reader.flag() { code = try reader.bits(24) }
    // sRGB without a matrix: its range and planes are implied.
    if !isGray, code == 0x01_0D_00 {
      picture.samples = 3
    } else {
      picture.isNarrow = try !reader.flag()
      if !isGray { picture.samples = try samples(&reader, profile, picture.depth) }
    }
    if !isGray { try reader.skip(1) }
  }

  private static func samples(
    _ reader: inout BitReader, _ profile: Int, _ depth: Int
  ) throws -> Double {
    var (isHalf, isQuarter) = (profile != 1, profile == 0)
    if profile == 2, depth == 12 {
      isHalf = try reader.flag()
      isQuarter = try isHalf && reader.flag()
    }
    if isQuarter { try reader.skip(2) }
    return isQuarter ? 1.5 : isHalf ? 2 : 3
  }
}
