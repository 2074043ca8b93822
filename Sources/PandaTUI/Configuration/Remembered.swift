internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// The values that the program remembers between launches, besides pictures.
@MainActor
struct Remembered {
  let party: StoredValue<Bool>
  let order: StoredValue<FavoritesOrder>
  let shuffles: StoredValue<Bool>
  /// The step of the size of the grid's thumbnails, where they are made of pixels.
  let gridStep: StoredValue<Int>
  /// The same where they are made of symbols, in which a small one is a blur.
  let gridStepOfSymbols: StoredValue<Int>
  /// The names of the sources that are switched off.
  let disabledSources: StoredValue<[String]>
  /// The directory of the favorites for which the user was warned that others can write to it.
  let warnedDirectory: StoredValue<String?>
  /// The retired settings that were reported to the user, by file.
  let retiredSettings: StoredValue<[String: [String]]>
  let lastLaunch: StoredValue<Date?>
  let terminals: StoredValue<KnownTerminals>

  private let directory: StorageDirectory

  /// Opens the favorites of the last days in a library.
  func favorites(ofDaysIn library: String) -> DailyFavorites {
    DailyFavorites(of: library, in: directory)
  }

  /// Opens what terminals have answered, alone.
  static func terminals(
    in directory: StorageDirectory = .state(appendingPath: "panda")
  ) -> StoredValue<KnownTerminals> {
    StoredValue(wrappedValue: KnownTerminals(), key: "terminals", directory: directory)
  }

  /// Returns the step of the grid's size for a way of showing pictures; nil shows none.
  func gridStep(of output: (any PictureOutput)?, cell: PixelSize) -> StoredValue<Int> {
    let isOfSymbols = output.map { $0.pixelsPerCell(cell) != cell } ?? false
    return isOfSymbols ? gridStepOfSymbols : gridStep
  }

  /// Opens the values in a directory, by default `$XDG_STATE_HOME/panda`.
  init(in directory: StorageDirectory = .state(appendingPath: "panda")) {
    self.directory = directory
    party = StoredValue(wrappedValue: false, key: "partyMode", directory: directory)
    order = StoredValue(wrappedValue: .newest, key: "order", directory: directory)
    shuffles = StoredValue(wrappedValue: false, key: "shuffles", directory: directory)
    gridStep = StoredValue(
      wrappedValue: GridSize.standard.step, key: "gridStep", directory: directory)
    gridStepOfSymbols = StoredValue(
      wrappedValue: GridSize.standard.step, key: "gridStepOfSymbols", directory: directory)
    disabledSources = StoredValue(wrappedValue: [], key: "disabledSources", directory: directory)
    warnedDirectory = StoredValue(key: "warnedDirectory", directory: directory)
    retiredSettings = StoredValue(wrappedValue: [:], key: "retiredSettings", directory: directory)
    lastLaunch = StoredValue(key: "lastLaunch", directory: directory)
    terminals = Self.terminals(in: directory)
  }
}
