internal import Glibc

/// A space of red, green and blue that a file describes by numbers rather than by an ICC profile.
struct RGBColorSpace: Hashable, Sendable {
  /// A color without its brightness (CIE 1931).
  struct Chromaticity: Hashable, Sendable {
    var x: Double
    var y: Double
  }

  /// The curve from a stored value to light.
  enum Transfer: Hashable, Sendable {
    case sRGB
    /// A power, such as 2.2; 1 is linear light.
    case gamma(Double)
    /// That of BT.709, BT.601 and BT.2020.
    case rec709
    /// PQ of SMPTE ST 2084, up to 10,000 nits.
    case perceptualQuantizer
    /// HLG of ARIB STD-B67.
    case hybridLogGamma
  }

  var white = Self.d65
  var red = Chromaticity(x: 0.64, y: 0.33)
  var green = Chromaticity(x: 0.3, y: 0.6)
  var blue = Chromaticity(x: 0.15, y: 0.06)
  var transfer = Transfer.sRGB
  /// Whether black is 16 and white 235 instead of 0 and 255.
  var isNarrow = false

  static let d65 = Chromaticity(x: 0.3127, y: 0.329)

  /// Whether it is sRGB but for rounding.
  var isSRGB: Bool {
    let own = [white, red, green, blue]
    let standard = RGBColorSpace()
    let expected = [standard.white, standard.red, standard.green, standard.blue]
    return transfer == .sRGB && !isNarrow
      && zip(own, expected).allSatisfy { abs($0.x - $1.x) < 0.002 && abs($0.y - $1.y) < 0.002 }
  }

  /// Reads code points of ITU-T H.273, as PNG's cICP and HEIF's nclx have them.
  ///
  /// Nil if the primaries or the curve are not among those known here.
  init?(primaries: Int, transfer: Int, isNarrow: Bool = false) {
    self.isNarrow = isNarrow
    switch primaries {
    case 1: break
    case 5:
      (red, green, blue) = (
        .init(x: 0.64, y: 0.33), .init(x: 0.29, y: 0.6), .init(x: 0.15, y: 0.06)
      )
    case 6, 7:
      (red, green, blue) =
        (.init(x: 0.63, y: 0.34), .init(x: 0.31, y: 0.595), .init(x: 0.155, y: 0.07))
    case 9:
      (red, green, blue) =
        (.init(x: 0.708, y: 0.292), .init(x: 0.17, y: 0.797), .init(x: 0.131, y: 0.046))
    case 11, 12:
      (red, green, blue) =
        (.init(x: 0.68, y: 0.32), .init(x: 0.265, y: 0.69), .init(x: 0.15, y: 0.06))
      if primaries == 11 { white = .init(x: 0.314, y: 0.351) }
    default: return nil
    }
    switch transfer {
    case 1, 6, 14, 15: self.transfer = .rec709
    case 4: self.transfer = .gamma(2.2)
    case 5: self.transfer = .gamma(2.8)
    case 8: self.transfer = .gamma(1)
    case 13: self.transfer = .sRGB
    case 16: self.transfer = .perceptualQuantizer
    case 18: self.transfer = .hybridLogGamma
    default: return nil
    }
  }

  /// Creates sRGB.
  init() {}

  /// Returns the light of a stored value, both from 0 to 1.
  ///
  /// What is brighter than the white of an ordinary picture is compressed into the upper quarter:
  /// a simple tone mapping, for each channel alone.
  func light(of value: Double) -> Double {
    let value = isNarrow ? min(1, max(0, (value * 255 - 16) / 219)) : value
    switch transfer {
    case .sRGB: return Self.sRGBLight(of: value)
    case .gamma(let exponent): return pow(value, exponent)
    case .rec709:
      return value < 0.081 ? value / 4.5 : pow((value + 0.099) / 1.099, 1 / 0.45)
    case .perceptualQuantizer:
      // SMPTE ST 2084, equation 4.1; 203 nits are white (ITU-R BT.2408).
      let root = pow(value, 1 / 78.84375)
      let nits =
        10_000 * pow(max(0, root - 0.8359375) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125)
      return Self.compressed(nits / 203)
    case .hybridLogGamma:
      // ITU-R BT.2100, table 5, on a display of 1,000 nits.
      let scene =
        value <= 0.5
        ? value * value / 3 : (exp((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
      return Self.compressed(pow(scene, 1.2) * 1_000 / 203)
    }
  }

  /// Returns the light of a value of sRGB (IEC 61966-2-1).
  static func sRGBLight(of value: Double) -> Double {
    value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func compressed(_ light: Double) -> Double {
    let knee = 0.75
    guard light > knee else { return light }
    return knee + (1 - knee) * (1 - exp(-(light - knee) / (1 - knee)))
  }
}
