internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// What the program remembers between launches, besides pictures: in `$XDG_STATE_HOME/panda`.
@MainActor
enum Remembered {
  /// Whether party mode is on.
  static func party() -> StoredValue<Bool> {
    StoredValue(wrappedValue: false, key: "partyMode", directory: directory)
  }

  /// In which order favorites are shown.
  static func order() -> StoredValue<FavoritesOrder> {
    StoredValue(wrappedValue: .newest, key: "order", directory: directory)
  }

  /// The names of the sources that are switched off.
  static func disabledSources() -> StoredValue<[String]> {
    StoredValue(wrappedValue: [], key: "disabledSources", directory: directory)
  }

  /// How many pandas were shown, ever.
  static func met() -> StoredValue<Int> {
    StoredValue(wrappedValue: 0, key: "pandasMet", directory: directory)
  }

  /// When the program was launched last.
  static func lastLaunch() -> StoredValue<Date?> {
    StoredValue(key: "lastLaunch", directory: directory)
  }

  private static var directory: StorageDirectory { .state(appendingPath: "panda") }
}
