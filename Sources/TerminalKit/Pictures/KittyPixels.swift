internal import FoundationEssentials
internal import PictureCodecs

struct KittyPixels {
  enum Medium {
    /// Inside the commands, as base64.
    case bytes(Data)
    /// In a file that the terminal reads and removes (`t=t`).
    case file(String)
  }

  package let size: PixelSize
  /// 24 for RGB, 32 for RGBA.
  package let format: Int
  let medium: Medium

  /// Extracts the pixels of a bitmap, three bytes each if all are opaque.
  ///
  /// - Parameter throughFile: whether the terminal can read this machine's files. If a file cannot
  ///   be written, the bytes are sent directly.
  init(_ bitmap: Bitmap, throughFile: Bool) {
    size = bitmap.size
    let pixels = bitmap.pixels
    let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
    format = isOpaque ? 24 : 32
    let data: Data
    if isOpaque {
      var rgb = [UInt8](repeating: 0, count: pixels.count / 4 * 3)
      var target = 0
      var source = 0
      while source < pixels.count {
        rgb[target] = pixels[source]
        rgb[target &+ 1] = pixels[source &+ 1]
        rgb[target &+ 2] = pixels[source &+ 2]
        target &+= 3
        source &+= 4
      }
      data = Data(rgb)
    } else {
      data = Data(pixels)
    }
    // Below this size a file costs more than it saves.
    if throughFile, data.count > 32_768, let path = HandoverFiles.own.write(data) {
      medium = .file(path)
    } else {
      medium = .bytes(data)
    }
  }
}
