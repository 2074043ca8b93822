package import FoundationEssentials
package import PandaCore
package import Pantry
package import PictureCodecs
package import TerminalKit

/// The values that the program remembers between launches, besides pictures.
///
/// Each is read at its first use.
@MainActor
package final class Remembered {
  package private(set) lazy var party = value("partyMode", false)
  package private(set) lazy var order = value("order", FavoritesOrder.newest)
  package private(set) lazy var shuffles = value("shuffles", false)
  /// The step of the size of the grid's thumbnails, where they are made of pixels.
  private lazy var gridStep = value("gridStep", GridSize.standard.step)
  /// The same where they are made of symbols, in which a small one is a blur.
  private lazy var gridStepOfSymbols = value("gridStepOfSymbols", GridSize.standard.step)
  /// The names of the sources that are switched off.
  package private(set) lazy var disabledSources = value("disabledSources", [String]())
  /// The directory of the favorites for which the user was warned that others can write to it.
  package private(set) lazy var warnedDirectory = value("warnedDirectory", String?.none)
  /// The retired settings that were reported to the user, by file.
  package private(set) lazy var retiredSettings = value("retiredSettings", [String: [String]]())
  package private(set) lazy var lastLaunch = value("lastLaunch", Date?.none)
  /// What terminals have answered.
  package private(set) lazy var terminals = value("terminals", KnownTerminals())

  private let directory: StorageDirectory

  /// Opens the values in a directory, by default `$XDG_STATE_HOME/panda`.
  init(in directory: StorageDirectory = .state(appendingPath: "panda")) {
    self.directory = directory
  }

  private func value<Value: StorableItem>(_ key: String, _ standard: Value) -> StoredValue<Value> {
    StoredValue(wrappedValue: standard, key: key, directory: directory)
  }

  /// Opens the favorites of the last days in a library.
  package func favorites(ofDaysIn library: String) -> DailyFavorites {
    DailyFavorites(of: library, in: directory)
  }

  /// Returns the step of the grid's size for a way of showing pictures; nil shows none.
  package func gridStep(of output: (any PictureOutput)?, cell: PixelSize) -> StoredValue<Int> {
    let isOfSymbols = output.map { $0.pixelsPerCell(cell) != cell } ?? false
    return isOfSymbols ? gridStepOfSymbols : gridStep
  }
}
