import Foundation
import PandaCore
import PandaTestSupport
import Pantry

@testable import PandaTUI
@testable import TerminalKit

extension PlainSession {
  /// A session whose values and copies are in a directory.
  convenience init(
    _ controller: ImagesController, in directory: TemporaryDirectory,
    configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }, log: Log = .off,
    onLine: @escaping @MainActor (PlainLine) -> Void
  ) {
    func place(_ path: String) -> StorageDirectory {
      StorageDirectory(url: directory.url.appending(path: path))
    }
    self.init(
      CommandSession(
        controller: controller, configuration: configuration, options: Options(),
        remembered: Remembered(in: place("state")), output: CommandOutput(),
        environment: TerminalEnvironment([:]),
        pictureFiles: PictureFileCache(directory: place("cache/pictures")),
        thumbnails: place("cache/thumbnails"),
        client: { HTTPClient(userAgent: "panda-tests") }, now: now),
      clock: clock, log: log, onLine: onLine)
  }
}
