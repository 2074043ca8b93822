import FoundationEssentials
import Pantry

/// An item of the simulated stores.
struct Note: Codable, Hashable, Sendable, Identifiable {
  let id: String
  /// Identifies the operation that wrote it; of a counter, the number of its updates.
  var version: Int
  var picture: Attachment?
  /// So long that a page of the file has few rows; nil for none.
  var text: String?

  /// The bytes of the picture of a version.
  static func picture(of version: Int) -> Data {
    // Few different ones, so that several items share them.
    Data(repeating: UInt8(version % 5), count: 300 + version % 5)
  }
}

/// An item of another type, for the other namespace.
struct Tag: Codable, Hashable, Sendable, Identifiable {
  let id: String
  var version: Int
}
