/// Removes what a HEIC or AVIF file says beside its pictures (ISO/IEC 14496-12, 23008-12).
///
/// Bytes are overwritten by zeros and not taken out, since places in the file are counted from its
/// beginning. Only what follows the last box goes.
struct HEIFStripper {
  private let file: HEIFStructure
  private var stripped: [UInt8]

  /// The kinds of items that are pictures or made of pictures; others are notes.
  private static let pictures: Set<String> = [
    "hvc1", "hev1", "lhv1", "av01", "avc1", "jpeg", "j2k1", "grid", "iden", "iovl", "tmap", "mask",
  ]

  /// The boxes that stay, at the top and in the list of items.
  private static let kept: Set<String> = [
    "ftyp", "meta", "mdat", "hdlr", "pitm", "iinf", "iloc", "iprp", "iref", "idat", "dinf", "grpl",
  ]

  /// The properties of pictures that stay: how they are coded, placed and colored.
  private static let keptProperties: Set<String> = [
    "hvcC", "lhvC", "av1C", "avcC", "jpgC", "j2kH", "ispe", "pixi", "pasp", "colr", "clli", "mdcv",
    "cclv", "amve", "ndwt", "irot", "imir", "clap", "rloc", "iscl", "auxC", "lsel", "tols", "oinf",
    "a1op", "a1lx",
  ]

  /// Returns the file without its notes; nil if it has tracks besides, which name the same bytes.
  ///
  /// Throws a ``PictureError`` if it is damaged.
  static func strip(
    _ bytes: UnsafeRawBufferPointer, _ format: PictureFormat, _ keepsProfiles: Bool = false
  ) throws -> [UInt8]? {
    let file = try HEIFStructure(bytes, format)
    guard !file.top.contains(where: { $0.kind == "moov" }) else { return nil }
    var stripper = HEIFStripper(file: file, stripped: Array(bytes.prefix(file.end)))
    return try stripper.strip(keepsProfiles) ? stripper.stripped : nil
  }

  /// Returns false if a picture would not stay whole.
  private mutating func strip(_ keepsProfiles: Bool) throws -> Bool {
    // Only what belongs to a picture stays of the data.
    let own = file.items.values.filter { Self.pictures.contains($0.kind) }.flatMap(\.extents)
    guard own.allSatisfy({ $0.upperBound <= file.end }) else { return false }
    let sorted = own.sorted { $0.lowerBound < $1.lowerBound }
    for box in file.top where box.kind == "mdat" { blank(box.content, except: sorted) }
    for box in file.meta where box.kind == "idat" { blank(box.content, except: sorted) }
    for box in file.top + file.meta where !Self.kept.contains(box.kind) { blank(box.content) }
    // Its kind and 16 reserved bytes come before a name.
    if let box = try file.box("hdlr") { blank(box.content.dropFirst(24)) }
    for item in file.items.values { blank(item.name) }
    for box in file.properties {
      if !Self.keptProperties.contains(box.kind) { blank(box.content) }
      let profile = box.content.dropFirst(4)
      if box.kind == "colr", !keepsProfiles,
        !file.bytes.holds("nclx", at: box.content.lowerBound)
      {
        let cleaned = ICCProfile(Array(file.bytes[profile]))?.withoutTexts ?? []
        // A false profile is none.
        blank(profile)
        stripped.replaceSubrange(profile.prefix(cleaned.count), with: cleaned)
      }
    }
    return true
  }

  private mutating func blank(_ range: Range<Int>, except kept: [Range<Int>] = []) {
    var start = range.lowerBound
    for kept in kept.lazy.map({ $0.clamped(to: range) }) where !kept.isEmpty {
      if start < kept.lowerBound { zero(start..<kept.lowerBound) }
      start = max(start, kept.upperBound)
    }
    if start < range.upperBound { zero(start..<range.upperBound) }
  }

  private mutating func zero(_ range: Range<Int>) {
    for index in range { stripped[index] = 0 }
  }
}
