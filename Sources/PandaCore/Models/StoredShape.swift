internal import FoundationEssentials

/// The shape of a favorite, which tells whether another picture is a part of it.
///
/// It can be computed anew from the picture at any time. In a shared library it is on the server,
/// so that one machine computes it for all; versions that do not know it leave it alone.
struct StoredShape: Codable, Equatable, Identifiable, Sendable {
  /// The SHA-256 digest of the picture's bytes, in hexadecimal digits.
  let id: String
  /// The cells of a `PictureShape`, 512 bytes.
  let cells: Data
}
