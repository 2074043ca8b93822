internal import FoundationEssentials
internal import Pantry

/// The favorites of the last days in a library, each chosen by the first command that asked.
@MainActor
package struct DailyFavorites {
  /// The number of days that are remembered.
  private static let limit = 30

  /// The addresses by day, such as 2026-10-03.
  private let addresses: StoredValue<[String: String]>

  /// Opens those of a library, in a file of their own.
  init(of library: String, in directory: StorageDirectory) {
    addresses = StoredValue(wrappedValue: [:], key: "today \(library)", directory: directory)
  }

  package subscript(day: String) -> String? { addresses.wrappedValue[day] }

  package func record(_ address: String, on day: String) async {
    addresses.update { addresses in
      addresses[day] = address
      // Days to come are those of a wrong clock.
      let past = addresses.filter { $0.key <= day }.sorted { $0.key < $1.key }
      addresses = Dictionary(
        uniqueKeysWithValues: past.suffix(Self.limit).map { ($0.key, $0.value) })
    }
    // If this fails, the same favorite is chosen again.
    try? await addresses.flush()
  }
}
