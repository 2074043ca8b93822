extension PictureFormat {
  /// The file extension without the dot; nil if it is not a picture format.
  package var filenameExtension: String? {
    switch self {
    case .jpeg: "jpg"
    case .jpegXL: "jxl"
    case .png, .gif, .webp, .avif, .heic, .bmp, .tiff, .svg: rawValue
    case .html, .video: nil
    }
  }

  /// The media type of a format that can be decoded (RFC 2046, RFC 9649); nil for others.
  package var mediaType: String? { isDecodable ? "image/\(rawValue)" : nil }
}
