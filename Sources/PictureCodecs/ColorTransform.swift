internal import CLCMS
internal import SystemSupport

/// Converts the pixels of a picture to sRGB by Little CMS, in place.
///
/// For any thread, and several at a time.
final class ColorTransform: @unchecked Sendable {
  /// The stored form of a pixel, in four bytes.
  enum Layout: Hashable, Sendable {
    case rgba
    /// Ink, and whether 255 is none of it.
    case cmyk(isInverted: Bool)
  }

  private struct Key: Hashable {
    let colors: PictureColors
    let layout: Layout
  }

  private let functions: panda_cms
  private let transform: panda_cms_transform
  private let lacksAlpha: Bool

  /// The last transforms: the pictures of one camera have the same profile, and preparing that of a
  /// printing press takes 30 ms.
  private static let recent = Lock<[(key: Key, transform: ColorTransform)]>([])
  private static let recentLimit = 4

  /// Returns the transform from a file's colors to sRGB.
  ///
  /// - Throws: ``Failure``, if the library is missing or refuses the profile.
  static func from(
    _ colors: PictureColors, _ layout: Layout = .rgba
  ) throws(Failure) -> ColorTransform {
    let key = Key(colors: colors, layout: layout)
    if let known = recent.withLock({ $0.first { $0.key == key }?.transform }) { return known }
    let transform = try ColorTransform(key)
    recent.withLock { recent in
      recent.insert((key, transform), at: 0)
      recent = Array(recent.prefix(recentLimit))
    }
    return transform
  }

  /// The reason why colors are not converted, for the log.
  struct Failure: Error { let reason: String }

  private init(_ key: Key) throws(Failure) {
    let functions: panda_cms
    switch ColorLibrary.loaded {
    case .success(let library): functions = library.functions
    case .failure(let error): throw Failure(reason: ColorLibrary.sentence(error))
    }
    guard let output = functions.Create_sRGBProfile(),
      let input = Self.profile(key.colors, functions)
    else { throw Failure(reason: "its color profile is ignored: Little CMS cannot read it") }
    defer {
      _ = functions.CloseProfile(input)
      _ = functions.CloseProfile(output)
    }
    let format: UInt32 =
      switch (key.layout, key.colors) {
      case (.cmyk(let isInverted), _): isInverted ? panda_cms_cmyk_inverted : panda_cms_cmyk
      case (.rgba, .profile(let profile)) where profile.pixels == .gray: panda_cms_gray
      case (.rgba, _): panda_cms_rgba
      }
    guard
      let transform = functions.CreateTransform(
        input, format, output, panda_cms_rgba, panda_cms_perceptual, panda_cms_no_cache)
    else { throw Failure(reason: "its color profile is ignored: Little CMS cannot use it") }
    self.functions = functions
    self.transform = transform
    lacksAlpha = key.layout != .rgba
  }

  deinit { functions.DeleteTransform(transform) }

  /// Opens the profile of colors, or makes one.
  private static func profile(
    _ colors: PictureColors, _ functions: panda_cms
  ) -> panda_cms_profile? {
    switch colors {
    case .sRGB: return functions.Create_sRGBProfile()
    case .profile(let profile):
      return functions.OpenProfileFromMem(profile.bytes, UInt32(profile.bytes.count))
    case .space(let space):
      guard let curve = curve(of: space, functions) else { return nil }
      defer { functions.FreeToneCurve(curve) }
      func point(_ color: RGBColorSpace.Chromaticity) -> panda_cms_xyY {
        panda_cms_xyY(x: color.x, y: color.y, luminance: 1)
      }
      var white = point(space.white)
      var primaries = panda_cms_primaries(
        red: point(space.red), green: point(space.green), blue: point(space.blue))
      let curves: [OpaquePointer?] = [curve, curve, curve]
      return curves.withUnsafeBufferPointer {
        functions.CreateRGBProfile(&white, &primaries, $0.baseAddress)
      }
    }
  }

  private static func curve(of space: RGBColorSpace, _ functions: panda_cms) -> OpaquePointer? {
    if case .gamma(let exponent) = space.transfer, !space.isNarrow {
      return functions.BuildParametricToneCurve(nil, 1, [exponent])
    }
    let steps = 4_095
    let table = (0...steps).map { step in
      UInt16((space.light(of: Double(step) / Double(steps)) * 65_535).rounded())
    }
    return functions.BuildTabulatedToneCurve16(nil, UInt32(table.count), table)
  }

  /// Converts pixels of four bytes to RGBA in sRGB.
  ///
  /// - Complexity: O(pixels); on several cores.
  func apply(to pixels: inout [UInt8], width: Int) {
    guard !pixels.isEmpty, width > 0 else { return }
    let rows = pixels.count / (width * 4)
    pixels.withUnsafeMutableBytes { pixels in
      let base = PixelBase(start: pixels.baseAddress!)
      RowBands.forEach(rows: rows, pixels: rows * width) { [self] rows in
        let band = base.start + rows.lowerBound * width * 4
        functions.DoTransform(transform, band, band, UInt32(rows.count * width))
      }
      guard lacksAlpha else { return }
      for offset in stride(from: 3, to: pixels.count, by: 4) { pixels[offset] = 255 }
    }
  }
}

/// Lets the bands of a picture share its memory: each writes its own rows.
private struct PixelBase: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
}

extension Bitmap {
  /// Converts the picture to sRGB, in place; throws ``ColorTransform/Failure``.
  mutating func convert(from colors: PictureColors) throws(ColorTransform.Failure) {
    guard colors != .sRGB else { return }
    try ColorTransform.from(colors).apply(to: &pixels, width: size.width)
  }
}
