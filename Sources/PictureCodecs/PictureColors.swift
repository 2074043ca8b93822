/// The meaning of a picture's numbers as colors, according to its file.
enum PictureColors: Hashable, Sendable {
  /// sRGB, or nothing that says otherwise.
  case sRGB
  case profile(ICCProfile)
  case space(RGBColorSpace)

  /// Reads what a file says of its colors, and a reason to ignore some of it.
  ///
  /// - Complexity: O(segments or chunks before the pixels, and the profile).
  static func read(
    _ bytes: UnsafeRawBufferPointer, _ format: PictureFormat
  ) -> (colors: PictureColors, issue: String?) {
    reporting { () throws(ProfileIssue) in
      switch format {
      case .jpeg: try jpeg(bytes)
      case .png: try png(bytes)
      case .webp: try webp(bytes)
      default: .sRGB
      }
    }
  }

  /// Returns what `read` finds, or sRGB with the reason why not.
  static func reporting(
    _ read: () throws(ProfileIssue) -> PictureColors
  ) -> (colors: PictureColors, issue: String?) {
    do throws(ProfileIssue) {
      return (try read(), nil)
    } catch {
      return (.sRGB, "its color profile is ignored: \(error.rawValue)")
    }
  }

  /// The reason to ignore a profile.
  enum ProfileIssue: String, Error {
    case isIncomplete = "a part of it is missing"
    case isDamaged = "it is damaged"
    case isTooLarge = "it is too large"
    case isForOthers = "it is for another kind of picture"
  }

  /// Judges a profile for the kind of pixels that a file has.
  static func judged(
    _ bytes: some Collection<UInt8>, isCMYK: Bool = false
  ) throws(ProfileIssue) -> PictureColors {
    guard bytes.count <= ICCProfile.byteLimit else { throw .isTooLarge }
    guard let profile = ICCProfile(Array(bytes)) else { throw .isDamaged }
    guard (profile.pixels == .cmyk) == isCMYK else { throw .isForOthers }
    return profile.isSRGB ? .sRGB : .profile(profile)
  }

  private static func jpeg(_ bytes: UnsafeRawBufferPointer) throws(ProfileIssue) -> PictureColors {
    // The decoder reports faults of the file.
    guard let structure = try? JPEGStructure(upToScanOf: bytes),
      !structure.profilePieces.isEmpty
    else { return .sRGB }
    guard let profile = joined(structure.profilePieces, of: bytes) else { throw .isIncomplete }
    return try judged(profile, isCMYK: structure.frame?.componentCount == 4)
  }

  /// Joins the pieces of a profile in APP2 (ICC.1:2022, B.4); nil if one is missing.
  private static func joined(
    _ pieces: [JPEGStructure.ProfilePiece], of bytes: UnsafeRawBufferPointer
  ) -> [UInt8]? {
    let pieces = pieces.sorted { $0.number < $1.number }
    let count = pieces.first?.count ?? 0
    guard pieces.map(\.number) == Array(1...max(1, count)),
      pieces.allSatisfy({ $0.count == count })
    else { return nil }
    return pieces.flatMap { bytes[$0.content] }
  }

  /// Returns the profile of a JPEG; nil if there is none, or it is damaged.
  static func profile(jpeg bytes: UnsafeRawBufferPointer) -> ICCProfile? {
    // The decoder reports faults of the file.
    let pieces = (try? JPEGStructure(upToScanOf: bytes))?.profilePieces ?? []
    return joined(pieces, of: bytes).flatMap { ICCProfile($0) }
  }

  /// Returns the profile in the content of a PNG's iCCP chunk; nil if it is damaged.
  static func profile(iccp: Range<Int>, of bytes: UnsafeRawBufferPointer) -> ICCProfile? {
    // A name, a zero, the method, which is always deflate.
    guard let end = bytes[iccp].prefix(80).firstIndex(of: 0), end + 2 <= iccp.upperBound
    else { return nil }
    let packed = UnsafeRawBufferPointer(rebasing: bytes[end + 2..<iccp.upperBound])
    return Inflation.bytes(of: packed, atMost: ICCProfile.byteLimit).flatMap { ICCProfile($0) }
  }

  /// Reads the chunks of PNG in the order of their precedence (third edition, 4.3).
  private static func png(_ bytes: UnsafeRawBufferPointer) throws(ProfileIssue) -> PictureColors {
    var chunks: [String: Range<Int>] = [:]
    for chunk in PNGChunks(bytes) where chunks[chunk.kind] == nil {
      chunks[chunk.kind] = chunk.content
    }
    if let cicp = chunks["cICP"], cicp.count == 4,
      let space = RGBColorSpace(
        primaries: Int(bytes[cicp.lowerBound]), transfer: Int(bytes[cicp.lowerBound + 1]),
        isNarrow: bytes[cicp.lowerBound + 3] == 0)
    {
      return space.isSRGB ? .sRGB : .space(space)
    }
    if let iccp = chunks["iCCP"] {
      guard let profile = profile(iccp: iccp, of: bytes) else { throw .isDamaged }
      return try judged(profile.bytes)
    }
    if chunks["sRGB"] != nil { return .sRGB }
    guard let gama = chunks["gAMA"], let inverse = bytes.bigEndian32(at: gama.lowerBound),
      // Outside of these no picture is meant.
      (10_000...1_000_000).contains(inverse)
    else { return .sRGB }
    var space = RGBColorSpace()
    space.transfer = .gamma(100_000 / Double(inverse))
    if let chrm = chunks["cHRM"], chrm.count == 32 {
      let points = (0..<4).map { index in
        RGBColorSpace.Chromaticity(
          x: Double(bytes.bigEndian32(at: chrm.lowerBound + index * 8)!) / 100_000,
          y: Double(bytes.bigEndian32(at: chrm.lowerBound + index * 8 + 4)!) / 100_000)
      }
      (space.white, space.red, space.green, space.blue) = (
        points[0], points[1], points[2], points[3]
      )
    }
    return .space(space)
  }

  private static func webp(_ bytes: UnsafeRawBufferPointer) throws(ProfileIssue) -> PictureColors {
    // The decoder reports faults of the file.
    guard let structure = try? WebPStructure(of: bytes),
      let profile = structure.profile
    else { return .sRGB }
    return try judged(bytes[profile])
  }
}
