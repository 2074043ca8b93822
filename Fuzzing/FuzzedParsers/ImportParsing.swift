internal import Foundation
@testable internal import PandaCore

/// The lists of favorites in exports that are imported.
enum ImportParsing {
  static func parse(_ input: [UInt8]) throws {
    do {
      try check(Manifest(Data(input), path: "list", limits: .standard))
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
