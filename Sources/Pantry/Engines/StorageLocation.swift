/// Where the rows of an engine are, as stores of one process know it.
public struct StorageLocation: Sendable {
  /// Equal for all engines of the process that share the rows.
  public let place: String
  /// The name in messages.
  public let name: String

  /// The name in messages of one that has no name of its own.
  static let unnamed = "of this storage"

  /// Describes a place.
  public init(place: String, name: String) {
    self.place = place
    self.name = name
  }
}
