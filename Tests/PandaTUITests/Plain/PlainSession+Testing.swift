import Foundation
import PandaCore
import PandaTestSupport
import Pantry

@testable import PandaSession
@testable import PandaShell
@testable import TerminalKit

/// A line of a conversation.
enum PlainLine: Equatable {
  /// An answer, or a completed action.
  case said(String)
  case failure(String)
}

extension Conversation {
  /// A conversation whose values and copies are in a directory.
  convenience init(
    _ library: ImageLibrary, _ source: any ImageSource, fallback: (any ImageSource)? = nil,
    in directory: TemporaryDirectory, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, log: Log = .off,
    onLine: @escaping @MainActor (PlainLine) -> Void
  ) {
    self.init(
      Session(
        in: directory,
        output: Output(inLines: true, log: log) { bytes, stream in
          let text = String(decoding: bytes, as: UTF8.self)
          let line = text.hasSuffix("\n") ? String(text.dropLast()) : text
          onLine(stream == .data ? .said(line) : .failure(line))
        }, now: now,
        library: library, sources: PictureSources(source, fallback: fallback)),
      clock: clock)
  }
}

extension Session {
  /// A session whose values and copies are in a directory.
  convenience init(
    _ options: Options = Options(), in directory: TemporaryDirectory,
    configuration: Configuration = Configuration(), problems: [ConfigurationProblem] = [],
    environment: TerminalEnvironment = TerminalEnvironment([:]), output: Output,
    now: @escaping @Sendable () -> Date = { Date() },
    logFailures: AsyncStream<FileError> = AsyncStream { $0.finish() },
    library: @autoclosure @escaping @MainActor () -> ImageLibrary, sources: PictureSources
  ) {
    func place(_ path: String) -> StorageDirectory {
      StorageDirectory(url: directory.url.appending(path: path))
    }
    self.init(
      options, .testing(configuration, problems, in: directory), output: output,
      environment: environment,
      places: Places(
        state: place("state"), pictureFiles: PictureFileCache(directory: place("cache/pictures")),
        thumbnails: place("cache/thumbnails"), index: place("cache/index"), previews: nil),
      now: now, client: { _ in HTTPClient(userAgent: "panda-tests") }, logFailures: logFailures,
      library: { _ in library() },
      sources: { _ in sources })
  }
}

extension Settings {
  /// Settings as if they were in a file in a directory.
  fileprivate static func testing(
    _ configuration: Configuration, _ problems: [ConfigurationProblem],
    in directory: TemporaryDirectory
  ) -> Settings {
    do {
      var settings = try Settings(Options(), environment: ["XDG_CONFIG_HOME": directory.path("")])
      settings.configuration = configuration
      settings.problems = problems
      return settings
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
