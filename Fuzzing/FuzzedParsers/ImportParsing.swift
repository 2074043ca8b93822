internal import Foundation
@testable internal import PandaCore
internal import PandaTestSupport

/// The archives that are imported, and the lists of favorites in them.
enum ImportParsing {
  static func parse(_ input: [UInt8]) async throws {
    let limits = ExchangeLimits.standard
    do {
      try check(Manifest(Data(input), path: "list", limits: limits))
    } catch is ExchangeError {
      // An archive is no list.
    }
    let directory = TemporaryDirectory(inMemory: true)
    let path = directory.path("favorites.tar")
    try Data(input).write(to: URL(filePath: path))
    do {
      try await ImportSource(path).read(limits: limits) { manifest in
        try check(manifest)
      } visit: { entry, data in
        try require(data.count <= limits.pictureBytes, "\(entry.file) is within the limit")
      }
    } catch is ExchangeError {
      return
    }
  }

  private static func check(_ manifest: Manifest) throws {
    for entry in manifest.entries {
      try require(
        !entry.file.isEmpty && !entry.file.contains("/") && entry.file != ".."
          && entry.file != "." && !entry.file.utf8.contains(0),
        "\(entry.file.debugDescription) is the name of a file in the directory")
    }
    try require(
      Set(manifest.entries.map { Array($0.address.utf8) }).count == manifest.entries.count,
      "no favorite is there twice")
  }
}
