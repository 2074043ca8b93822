internal import Foundation
internal import PictureCodecs

/// Writes the pixels of a picture at full size, for Scripts/compare-decoders.
enum PixelsOutput {
  /// The first argument for it; the second is the path of the picture.
  static let argument = "pixels"

  /// Decodes a file and writes it to standard output as PAM (netpbm's pam(5)): RGBA.
  ///
  /// - Throws: `PictureError`, and an error for a file that cannot be read.
  static func main(_ path: String) async throws {
    let data = try Data(contentsOf: URL(filePath: path))
    let limits = PictureLimits.ownFiles
    let size = try PictureDecoder.header(of: data, limits: limits).size
    let picture = try await PictureDecoder(limits: limits).decode(data, covering: size)
    let bitmap = picture.bitmap
    let header = """
      P7
      WIDTH \(bitmap.size.width)
      HEIGHT \(bitmap.size.height)
      DEPTH 4
      MAXVAL 255
      TUPLTYPE RGB_ALPHA
      ENDHDR

      """
    try FileHandle.standardOutput.write(contentsOf: Data(header.utf8) + bitmap.pixels)
  }
}
