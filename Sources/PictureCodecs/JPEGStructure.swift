internal import Glibc

/// The segments of a JPEG that matter before decoding.
///
/// These are the frame, the number of scans, whether Adobe's marker is present, the EXIF
/// orientation, the color profile, and whether the file is complete (ITU T.81, annex B).
struct JPEGStructure: Hashable, Sendable {
  /// The frame header (SOFn).
  struct Frame: Hashable, Sendable {
    package let size: PixelSize
    /// The number of coefficients per pixel over all components: 3 without subsampling, 1.5 for
    /// 4:2:0.
    let coefficientsPerPixel: Double
    let componentCount: Int
    let isProgressive: Bool
    /// Whether libjpeg can decode it.
    ///
    /// It can with 8 bits per sample if baseline, extended or progressive, with Huffman or
    /// arithmetic coding; neither lossless nor hierarchical.
    let isDecodable: Bool
  }

  /// The first frame header; nil if the bytes end before it.
  package private(set) var frame: Frame?

  /// The number of scans; a baseline picture has one, or one for each component.
  private(set) var scanCount = 0

  /// Whether some scan lacks some component, so that the decoder stores all coefficients.
  private(set) var isMultiScan = false

  /// Whether Adobe's APP14 segment is present: then CMYK is stored inverted.
  private(set) var hasAdobeMarker = false

  /// The orientation from EXIF (APP1) before the frame header; nil if there is none.
  package private(set) var orientation: PictureOrientation?

  /// The range of the EXIF data (APP1) before the frame header, and of Photoshop's resources
  /// (APP13), which hold IPTC's texts; nil for none.
  private(set) var exif: Range<Int>?
  private(set) var photoshop: Range<Int>?

  /// A piece of an ICC profile (APP2).
  struct ProfilePiece: Hashable, Sendable {
    /// Its place, from 1.
    let number: Int
    /// The number of all pieces.
    let count: Int
    /// The range of its bytes in the file.
    let content: Range<Int>
  }

  /// The pieces of the color profile before the first scan, in the order of the file.
  private(set) var profilePieces: [ProfilePiece] = []

  /// For each component, the bits that its coefficients still lack after the scans so far.
  ///
  /// 64 numbers, in zigzag order; 0 is exact, 255 is not yet in any scan (T.81, G.1.1).
  private var missingBits: [UInt8: [UInt8]] = [:]

  /// Whether all scans are there: every coefficient of every component in full precision.
  var hasAllScans: Bool {
    guard let frame else { return false }
    return missingBits.count == frame.componentCount
      && missingBits.values.allSatisfy { $0.allSatisfy { $0 == 0 } }
  }

  /// Whether the scan reached the end-of-image marker.
  private(set) var reachesEnd = false

  /// Reads the segments up to the frame header.
  ///
  /// Throws a ``PictureError`` of kind `.damaged` if a marker is missing.
  ///
  /// - Complexity: O(number of segments before the frame header).
  init(upToFrameOf bytes: UnsafeRawBufferPointer) throws {
    try walk(bytes, until: .frame)
  }

  /// Reads the segments before the first scan; throws as ``init(of:)``.
  ///
  /// - Complexity: O(number of segments before the first scan).
  init(upToScanOf bytes: UnsafeRawBufferPointer) throws {
    try walk(bytes, until: .scan)
  }

  /// Reads the whole file.
  ///
  /// Throws a ``PictureError`` of kind `.damaged` if no frame header comes before the first scan.
  /// Later errors end the walk and are left for the decoder to judge.
  ///
  /// - Complexity: O(n), at the speed of `memchr`.
  init(of bytes: UnsafeRawBufferPointer) throws {
    try walk(bytes, until: .end)
  }

  /// The segment after which a walk ends.
  private enum Last { case frame, scan, end }

  private mutating func walk(_ bytes: UnsafeRawBufferPointer, until last: Last) throws {
    var offset = 2  // SOI
    while let introducer = bytes.byte(at: offset) {
      guard introducer == 0xFF else {
        // Stray bytes between segments: libjpeg skips them with a warning, and so does this.
        guard let next = Self.nextFF(in: bytes, from: offset) else { return }
        offset = next
        continue
      }
      guard let marker = bytes.byte(at: offset + 1) else { return }
      switch marker {
      case 0xFF:  // a fill byte
        offset += 1
      case 0x00, 0x01, 0xD0...0xD8:  // stuffing, TEM, RSTn and SOI stand alone
        offset += 2
      case 0xD9:
        reachesEnd = true
        if frame == nil { throw PictureError(.damaged, detail: "the end comes before the frame") }
        return
      default:
        guard let length = bytes.bigEndian16(at: offset + 2) else { return }
        guard length >= 2 else {
          if frame == nil { throw PictureError(.damaged, detail: "a segment is too short") }
          return
        }
        let isWhole = try read(segment: marker, at: offset + 4, length: length - 2, of: bytes)
        if frame != nil && last == .frame || !isWhole { return }
        offset += 2 + length
        if marker == 0xDA {
          if last == .scan { return }
          guard let end = Self.endOfScan(in: bytes, from: offset) else { return }
          offset = end
        }
      }
    }
  }

  /// Records a segment; false if the bytes end within it.
  private mutating func read(
    segment marker: UInt8, at offset: Int, length: Int, of bytes: UnsafeRawBufferPointer
  ) throws -> Bool {
    guard offset + length <= bytes.count else { return false }
    switch marker {
    case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
      guard frame == nil else { break }
      frame = try Self.frame(marker, at: offset, length: length, of: bytes)
    case 0xDA:
      guard let frame else {
        throw PictureError(.damaged, detail: "a scan comes before the frame")
      }
      scanCount += 1
      noteScan(UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length]))
      if frame.isProgressive || Int(bytes.byte(at: offset) ?? 0) < frame.componentCount {
        isMultiScan = true
      }
    case 0xE1 where frame == nil && orientation == nil && bytes.holds("Exif", at: offset):
      // Not read after the frame header: the header's size must not depend on how far the bytes
      // have been read.
      exif = offset..<(offset + length)
      orientation = PictureOrientation(exif: bytes, in: offset..<(offset + length))
    case 0xED where photoshop == nil && length >= 14 && bytes.holds("Photoshop 3.0\0", at: offset):
      photoshop = (offset + 14)..<(offset + length)
    case 0xE2
    where scanCount == 0 && length >= 14 && bytes.holds("ICC_PROFILE\0", at: offset):
      profilePieces.append(
        ProfilePiece(
          number: Int(bytes[offset + 12]), count: Int(bytes[offset + 13]),
          content: (offset + 14)..<(offset + length)))
    case 0xEE where length >= 12 && bytes.holds("Adobe", at: offset):
      hasAdobeMarker = true
    default:
      break
    }
    return true
  }

  /// Notes which coefficients a scan has (T.81, B.2.3).
  private mutating func noteScan(_ header: UnsafeRawBufferPointer) {
    guard let count = header.first.map({ Int($0) }), header.count == 4 + count * 2 else { return }
    let (first, last) = (Int(header[count * 2 + 1]), Int(header[count * 2 + 2]))
    guard first <= last, last < 64 else { return }
    for index in 0..<count {
      var bits = missingBits[header[1 + index * 2]] ?? [UInt8](repeating: 255, count: 64)
      for coefficient in first...last { bits[coefficient] = header[count * 2 + 3] & 15 }
      missingBits[header[1 + index * 2]] = bits
    }
  }

  private static func frame(
    _ marker: UInt8, at offset: Int, length: Int, of bytes: UnsafeRawBufferPointer
  ) throws -> Frame {
    guard length >= 6, let height = bytes.bigEndian16(at: offset + 1),
      let width = bytes.bigEndian16(at: offset + 3), length == 6 + 3 * Int(bytes[offset + 5])
    else { throw PictureError(.damaged, detail: "the frame header has the wrong length") }
    let componentCount = Int(bytes[offset + 5])
    let factors = (0..<componentCount).map { index in
      let factor = Int(bytes[offset + 6 + 3 * index + 1])
      return (horizontal: factor >> 4, vertical: factor & 15)
    }
    let widest = max(1, factors.map(\.horizontal).max() ?? 1)
    let tallest = max(1, factors.map(\.vertical).max() ?? 1)
    let samples = factors.reduce(0) { $0 + $1.horizontal * $1.vertical }
    return Frame(
      size: PixelSize(width: width, height: height),
      coefficientsPerPixel: Double(samples) / Double(widest * tallest),
      componentCount: componentCount,
      isProgressive: marker == 0xC2 || marker == 0xCA,
      isDecodable: bytes[offset] == 8 && [0xC0, 0xC1, 0xC2, 0xC9, 0xCA].contains(marker))
  }

  /// Returns the offset of the next marker other than stuffing or a restart; nil at the end.
  static func endOfScan(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var offset = start
    while let found = nextFF(in: bytes, from: offset), let marker = bytes.byte(at: found + 1) {
      if marker != 0 && !(0xD0...0xD7).contains(marker) { return found }
      offset = found + 2
    }
    return nil
  }

  private static func nextFF(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
    guard offset < bytes.count, let base = bytes.baseAddress,
      let found = memchr(base + offset, 0xFF, bytes.count - offset)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }
}
