internal import PandaCore
internal import PandaSession
internal import TerminalKit

/// `panda slideshow`: the program on the screen, which begins as a picture frame.
extension Session {
  /// Returns what a frame shows, once it is known that there is something.
  ///
  /// - Throws: ``CommandFailure`` if nothing matches, or the favorites cannot be read.
  func frame(_ request: SlideshowRequest) async throws -> SlideshowRequest {
    guard let directory = request.directory else {
      try await load()
      _ = try await favorites(matching: request.filter)
      return request
    }
    guard let folder = sources.source as? FolderSource else {
      throw CommandFailure("No pictures in \(directory.forMessage)", .notFound)
    }
    do {
      // Nothing is drawn in place of the directory's pictures. The frame begins a round of its own.
      _ = try await FolderSource(folder.path).fetchImage { _ in }
    } catch let error as ImageSourceError {
      throw CommandFailure(error.message, .notFound, cause: error)
    }
    var request = request
    request.count = try folder.count
    return request
  }
}
