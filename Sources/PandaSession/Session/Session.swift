package import FoundationEssentials
package import PandaCore
package import Pantry
package import TerminalKit

/// What a command works with: settings, library, sources, what is remembered, and its output.
///
/// It is a view of Model, View, Controller, Store like the screen: it owns an ``ImagesController``,
/// and what it changes shows in every open Panda. The library is opened at its first use.
@MainActor
package final class Session {
  /// Where a session keeps files, besides favorites.
  package struct Places {
    var state = StorageDirectory.state(appendingPath: "panda")
    package var pictureFiles = PictureFileCache()
    package var thumbnails = ThumbnailCache.standardDirectory
    /// What the favorite of a day is chosen from.
    package var index = StorageDirectory.caches(appendingPath: "panda/index")
    /// Pictures of the card that take long to decode; nil keeps none.
    package var previews: StorageDirectory? = PreviewCache.standardDirectory
  }

  package let options: Options
  package let settings: Settings
  package let remembered: Remembered
  package let output: Output
  package let environment: TerminalEnvironment
  package let places: Places
  package let now: @Sendable () -> Date
  /// The failure to write the log, at most one.
  package let logFailures: AsyncStream<FileError>
  /// Called once the library has been opened.
  package var onOpening: @MainActor (ImageLibrary) -> Void = { _ in }
  /// The `Conversation` of `--plain`, whose type only the shell knows; nil elsewhere.
  package weak var lines: AnyObject?

  private let openLibrary: @MainActor (Session) throws -> ImageLibrary
  private let openSources: @MainActor (Session) throws -> PictureSources
  private let makeClient: @MainActor (Session) -> HTTPClient
  /// The library, if it was used.
  package private(set) var openedLibrary: ImageLibrary?
  private var openedClient: HTTPClient?

  package private(set) lazy var sources: PictureSources = opened { try openSources(self) }
  package private(set) lazy var controller: ImagesController = sources.controller(library)

  /// - Parameters:
  ///   - client: makes the client for sources, and for addresses that the user names.
  ///   - library: opens the library.
  ///   - sources: opens the sources that the command needs.
  package init(
    _ options: Options, _ settings: Settings, output: Output,
    environment: TerminalEnvironment = .current, places: Places = Places(),
    now: @escaping @Sendable () -> Date = { Date() },
    client: @escaping @MainActor (Session) -> HTTPClient = {
      UserAgent.client($0.configuration, log: $0.log)
    },
    logFailures: AsyncStream<FileError> = AsyncStream { $0.finish() },
    library: @escaping @MainActor (Session) throws -> ImageLibrary,
    sources: @escaping @MainActor (Session) throws -> PictureSources
  ) {
    self.options = options
    self.settings = settings
    self.output = output
    self.environment = environment
    self.places = places
    self.now = now
    self.logFailures = logFailures
    remembered = Remembered(in: places.state)
    makeClient = client
    openLibrary = library
    openSources = sources
  }

  package var configuration: Configuration { settings.configuration }
  package var log: Log { output.log }
  /// The libraries of `panda copy`, and the name of the one in use.
  package var opening: LibraryOpening {
    LibraryOpening(configuration: configuration, dataDirectory: options.dataDirectory)
  }

  package var library: ImageLibrary {
    if let openedLibrary { return openedLibrary }
    let library = opened { try openLibrary(self) }
    openedLibrary = library
    onOpening(library)
    return library
  }

  /// Returns what could be opened; else says why it was not, and ends the program.
  private func opened<Result>(_ open: () throws -> Result) -> Result {
    do {
      return try open()
    } catch {
      let failure = CommandFailure(nil, because: error)
      output.fail(failure)
      Self.leave(failure.status, log)
    }
  }

  package var client: HTTPClient {
    if let openedClient { return openedClient }
    let client = makeClient(self)
    openedClient = client
    return client
  }

  /// Ends the requests under way.
  package func close() async { await openedClient?.close() }
}
