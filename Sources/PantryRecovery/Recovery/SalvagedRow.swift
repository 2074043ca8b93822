internal import FoundationEssentials

/// A row that was found in a damaged file or in a backup.
struct SalvagedRow {
  /// The number of its namespace in that file.
  var namespace: Int64
  var number: Int64
  /// The bytes of the text, by which keys are compared.
  var key: [UInt8]
  var data: Data
  /// In seconds since 1970.
  var created: Double
  var updated: Double
  /// Whether its text is none that was ever written.
  var isDamaged = false

  var name: RowName { RowName(namespace: namespace, key: key) }
}

struct RowName: Hashable {
  var namespace: Int64
  var key: [UInt8]

  /// Stands for all rows of a namespace in the log of changes; no key has these bytes.
  static func all(of namespace: Int64) -> RowName { RowName(namespace: namespace, key: [0xFF]) }
}

struct SalvagedNamespace {
  var name: String
  var type: String?
  var lastItem: Int64 = 0
  /// What it is used for, if that is not damaged.
  var record: Data?
}

struct SalvagedReference: Hashable {
  let digest: ContentDigest
  /// The number of its bytes; at least 1 if it is unknown.
  var byteCount = 1

  static func == (one: Self, other: Self) -> Bool { one.digest == other.digest }
  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
