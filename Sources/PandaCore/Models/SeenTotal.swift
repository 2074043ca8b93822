/// The total number of pictures shown; fewer are kept.
///
/// A row of its own: entries of pictures are removed when they are old or hidden.
struct SeenTotal: Codable, Equatable, Identifiable, Sendable {
  /// The identifier of the only row.
  static let id = "pictures"

  var id: String = Self.id
  let count: Int
}
