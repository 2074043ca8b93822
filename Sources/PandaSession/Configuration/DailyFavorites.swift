internal import FoundationEssentials
internal import Pantry

/// The favorites of the last days in a library, each chosen by the first command that asked.
@MainActor
package struct DailyFavorites {
  /// The number of days that are remembered, besides today.
  package nonisolated static let limit = 30

  /// The addresses by day, such as 2026-10-03.
  private let addresses: StoredValue<[String: String]>

  /// Opens those of a library, in a file of their own.
  init(of library: String, in directory: StorageDirectory) {
    addresses = StoredValue(wrappedValue: [:], key: "today \(library)", directory: directory)
  }

  package subscript(day: String) -> String? { addresses.wrappedValue[day] }

  /// Records the favorite of a day, unless another command was faster.
  ///
  /// - Parameter stale: the address of one that is gone, and does not count.
  /// - Returns: the address of the day's favorite.
  package func record(_ address: String, on day: String, replacing stale: String?) async -> String {
    if addresses.loadIssue != nil { addresses.reset() }  // it keeps the damaged file
    addresses.update { [limit = Self.limit] addresses in
      if let other = addresses[day], other != stale { return }
      addresses[day] = address
      // Twice as many, since a clock that was wrong for a while adds days, and takes none away.
      addresses = Dictionary(
        uniqueKeysWithValues: addresses.sorted { $0.key < $1.key }.suffix(2 * (limit + 1)).map {
          ($0.key, $0.value)
        })
    }
    // If this fails, another favorite is chosen the next time.
    try? await addresses.flush()
    return addresses.wrappedValue[day] ?? address
  }
}
