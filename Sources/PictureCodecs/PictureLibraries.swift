internal import CGIF
internal import CPNG
internal import CWebP
internal import Glibc

package enum PictureLibraries {
  /// The name and version of each library.
  ///
  /// libpng and libwebp report their own. giflib does not, so this is the version of its header.
  /// TurboJPEG has neither, so this is the name of the loaded file. libheif and Little CMS are
  /// loaded to ask them.
  package static var versions: [String] {
    let png = png_access_version_number()
    let webp = WebPGetDecoderVersion()
    return [
      "libpng \(png / 10_000).\(png / 100 % 100).\(png % 100)",
      loadedFile("libturbojpeg.so") ?? "TurboJPEG",
      "libwebp \(webp >> 16).\(webp >> 8 & 0xFF).\(webp & 0xFF)",
      "giflib \(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)",
      HEIFDecoder.version, ColorLibrary.version,
    ]
  }

  /// Returns a library's file name, such as `libturbojpeg.so.0.2.0`, by its beginning; nil if this
  /// process has not loaded it (man 5 proc).
  package static func loadedFile(_ beginning: String) -> String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer {
      free(line)
      fclose(maps)
    }
    while getline(&line, &capacity, maps) > 0, let line {
      let file = String(cString: line).split { $0 == "/" || $0 == "\n" }.last ?? ""
      if file.hasPrefix(beginning) { return String(file) }
    }
    return nil
  }
}
