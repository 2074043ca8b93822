import Foundation

@testable import PandaCore

/// One of each obstacle of an export, an import or a backup, with names as long as they can be.
enum ExchangeErrorSamples {
  static let all: [any Error] = kinds.map { ExchangeError($0, path: path) }

  private static let path = "/" + String(repeating: "a\u{1B}\n/", count: 1_000)
  private static let name = String(repeating: "panda\n", count: 100)

  private static let kinds: [ExchangeError.Kind] =
    [
      .notOurs, .exists, .favoritesThemselves, .noManifest,
      .newer(version: 1_000, supported: 1),
      .line(100_000, name), .tooManyEntries(limit: 100_000), .tooManyBytes(limit: 50_000_000_000),
      .incompleteBackup(found: 1, expected: 2),
      .nothingStored,
    ] + problems.map { .entry(name, $0) }

  private static let problems: [ExchangeError.EntryProblem] = [
    .link, .notAFile, .tooLarge(limit: 20_000_000),
    .otherBytes, .notAPicture(String(repeating: "damaged. ", count: 50)), .missing,
  ]
}
