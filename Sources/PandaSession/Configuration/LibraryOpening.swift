internal import FoundationEssentials
package import PandaCore
package import Pantry

@MainActor
package struct LibraryOpening {
  let configuration: Configuration
  /// The directory of `--data-dir`, as typed.
  let dataDirectory: String?

  /// Distinguishes libraries: the directory, or the place of the server without a password.
  package var name: String {
    guard let url = localDirectory?.url.absoluteURL else { return configuration.library.place }
    let path = url.path(percentEncoded: false)
    return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  /// The directory of the library's file; nil if it is on a server.
  package var localDirectory: StorageDirectory? {
    guard case .local = configuration.library else { return nil }
    return dataDirectory.map { StorageDirectory(url: URL(filePath: $0)) } ?? .favorites
  }

  /// Opens the library in use.
  ///
  /// - Throws: `PostgresError` if libpq is missing, or cannot read the address.
  func library() throws -> ImageLibrary {
    let library = try library(configuration.library, in: dataDirectory)
    library.formerSeenCount = {
      StoredValue(wrappedValue: 0, key: "pandasMet", directory: .state(appendingPath: "panda"))
        .wrappedValue
    }
    return library
  }

  /// Opens a library to copy from or to; one on this machine in a directory, as typed.
  ///
  /// - Throws: `PostgresError`, as above.
  package func library(_ choice: LibraryChoice, in directory: String?) throws -> ImageLibrary {
    let directory = directory.map { StorageDirectory(url: URL(filePath: $0)) }
    guard case .server(let address) = choice else {
      guard let directory, directory.url.path != StorageDirectory.favorites.url.path else {
        return .standard
      }
      return ImageLibrary(in: directory)
    }
    return try ImageLibrary(
      at: address, author: configuration.author ?? LibraryAuthor.ofThisProcess,
      in: directory ?? .favorites)
  }
}
