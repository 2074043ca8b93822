internal import Foundation
internal import PandaCore
internal import Pantry

/// Loads a file of favorites in a separate process, without the rest of the program.
struct FavoritesLoad {
  /// The first of a child's arguments after ``BenchmarkChild/argument``.
  static let childArgument = "load-favorites"

  /// The time from opening the file to the newest favorites and the count.
  let excerptMilliseconds: Double
  /// The time from opening the file to all favorites.
  let milliseconds: Double
  /// The growth of the process's memory since before it opened the file, in MB.
  let residentGrowth: Double
  /// The growth of its peak memory, in MB.
  let peakGrowth: Double

  /// Runs a child: loads the favorites in `directory` and prints the figures.
  @MainActor
  static func main(_ directory: URL) async throws {
    let load = try await FavoritesLoad(directory)
    print(
      load.excerptMilliseconds, load.milliseconds, load.residentGrowth, load.peakGrowth)
  }

  /// Loads the favorites in `directory` in a child process.
  static func inChild(_ directory: URL) throws -> FavoritesLoad {
    FavoritesLoad(
      try BenchmarkChild.figures([childArgument], in: directory, count: 4))
  }

  private init(_ figures: [Double]) {
    excerptMilliseconds = figures[0]
    milliseconds = figures[1]
    residentGrowth = figures[2]
    peakGrowth = figures[3]
  }

  @MainActor
  private init(_ directory: URL) async throws {
    let before = try ProcessMemory(of: getpid())
    let start = ContinuousClock.now
    let store = Store<RemoteImage>.images(in: StorageDirectory(url: directory))
    try await store.excerptHasLoaded()
    excerptMilliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    try await store.itemsHaveLoaded()
    milliseconds = (ContinuousClock.now - start) / .milliseconds(1)
    let after = try ProcessMemory(of: getpid())
    residentGrowth = after.resident - before.resident
    peakGrowth = after.peak - before.resident
    withExtendedLifetime(store) {}
  }
}
