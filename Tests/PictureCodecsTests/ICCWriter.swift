internal import Foundation

/// Writes small ICC profiles (ICC.1:2022), so that the tests need none of the system's.
enum ICCWriter {
  /// The primaries of Display P3, adapted to the white of the connection space.
  static let displayP3 = [
    [0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407],
  ]
  /// The primaries of sRGB, adapted in the same way.
  static let sRGB = [
    [0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141],
  ]

  /// The curve of sRGB.
  static let sRGBCurve: [UInt8] =
    Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0]
    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap { fixed($0) }

  /// The curve of a power.
  static func gamma(_ exponent: Double) -> [UInt8] {
    Array("curv".utf8) + [0, 0, 0, 0] + PNGWriter.bigEndian(1)
      + PNGWriter.bigEndian(Int(exponent * 256)).suffix(2)
  }

  /// A profile of primaries and one curve.
  ///
  /// - Parameter text: what it says about itself.
  static func rgb(
    _ primaries: [[Double]], _ curve: [UInt8], text: [UInt8] = []
  ) -> [UInt8] {
    let texts: [(String, [UInt8])] = [
      ("desc", Array("desc".utf8) + [0, 0, 0, 0] + PNGWriter.bigEndian(text.count) + text),
      ("cprt", Array("text".utf8) + [0, 0, 0, 0] + text), ("meta", Array("dict".utf8) + text),
    ]
    return profile(
      "RGB ", "XYZ ",
      zip(["rXYZ", "gXYZ", "bXYZ"], primaries).map { ($0, xyz($1)) }
        + ["rTRC", "gTRC", "bTRC"].map { ($0, curve + text) } + (text.isEmpty ? [] : texts))
  }

  /// A profile of grays.
  static func gray(_ curve: [UInt8]) -> [UInt8] { profile("GRAY", "XYZ ", [("kTRC", curve)]) }

  /// A profile of four inks: no ink is white, all black ink is black, any other is a middle gray.
  static func cmyk() -> [UInt8] {
    var table = Array("mft1".utf8) + [0, 0, 0, 0, 4, 3, 2, 0]
    table += [1.0, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { fixed($0) }
    let identity = (0...255).map { UInt8($0) }
    for _ in 0..<4 { table += identity }
    // The last ink, black, changes fastest.
    for node in 0..<16 {
      let light: UInt8 = node & 1 == 1 ? 0 : node == 0 ? 255 : 128
      table += [light, 128, 128]
    }
    for _ in 0..<3 { table += identity }
    return profile("CMYK", "Lab ", [("A2B0", table)])
  }

  private static func profile(
    _ space: String, _ connection: String, _ own: [(String, [UInt8])]
  ) -> [UInt8] {
    let white = xyz([0.9642, 1, 0.8249])
    let tags = own + [("wtpt", white)]
    var (directory, content) = (PNGWriter.bigEndian(tags.count), [UInt8]())
    let start = 128 + 4 + 12 * tags.count
    for (name, bytes) in tags {
      directory += Array(name.utf8) + PNGWriter.bigEndian(start + content.count)
      directory += PNGWriter.bigEndian(bytes.count)
      content += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var header = PNGWriter.bigEndian(start + content.count) + Array("lcms".utf8) + [2, 0x40, 0, 0]
    header += Array((space == "CMYK" ? "prtr" : "mntr").utf8) + Array(space.utf8)
    header += Array(connection.utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28)
    header += [0.9642, 1, 0.8249].flatMap { fixed($0) } + [UInt8](repeating: 0, count: 48)
    return header + directory + content
  }

  private static func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + [0, 0, 0, 0] + values.flatMap { fixed($0) }
  }

  private static func fixed(_ value: Double) -> [UInt8] {
    PNGWriter.bigEndian(Int(Int32((value * 65_536).rounded())))
  }
}

/// Colors as light, computed without Little CMS.
enum ColorArithmetic {
  /// Returns the light of a value of sRGB.
  static func light(_ value: UInt8) -> Double {
    let value = Double(value) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// Returns the value of sRGB for light, cut to what can be shown.
  static func value(_ light: Double) -> UInt8 {
    let light = min(1, max(0, light))
    let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    return UInt8((value * 255).rounded())
  }

  /// Returns the color of Display P3 in sRGB (CSS Color 4, 17: the matrices of both).
  static func fromDisplayP3(_ color: [UInt8]) -> [UInt8] {
    let matrix = [
      [1.2249402, -0.2249402, 0.0], [-0.0420570, 1.0420571, 0.0],
      [-0.0196376, -0.0786360, 1.0982735],
    ]
    let light = color.prefix(3).map { Self.light($0) }
    return matrix.map { row in value(zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }) } + [255]
  }
}
