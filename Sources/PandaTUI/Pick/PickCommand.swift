internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// `panda pick`: chooses pictures on the screen, and prints where they are.
///
/// The screen is on the terminal itself, so that standard output can be a pipe. It changes no
/// favorite, and needs no library for a directory.
@MainActor
struct PickCommand {
  let request: PickRequest
  let session: Session

  func run() async -> ExitStatus {
    do {
      try session.checkTerminal()
      return if let directory = try directory() {
        try await choose(
          from: .folder(directory.pictures, name: directory.name),
          filter: request.words.dropFirst().joined(separator: " ")
        ) { images in
          images.compactMap { directory.pictures.path(of: $0) }
        }
      } else {
        try await chooseFavorites()
      }
    } catch let failure as Screen.Failure {
      return refuse(failure)
    } catch {
      return fail(CommandFailure(nil, because: error))
    }
  }

  /// The directory that is named; nil if favorites are meant.
  private func directory() throws -> (pictures: FolderPictures, name: String)? {
    guard let path = request.words.first else { return nil }
    guard SourceChoice.isDirectory(path) else {
      // A filter has no slash.
      guard path.contains("/") else { return nil }
      throw CommandFailure("\(path.forMessage): \(SystemError(code: ENOENT))", .notFound)
    }
    guard !request.printsIDs else {
      throw CommandFailure("The files of a directory have paths, and no IDs", .usage)
    }
    let pictures: FolderPictures
    do throws(FolderError) {
      pictures = try FolderPictures(of: path)
    } catch {
      throw CommandFailure("\(path.forMessage): \(SystemError(code: error.code))", .failed)
    }
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    guard !pictures.isEmpty else { throw noPicture(path) }
    return (pictures, name)
  }

  private func noPicture(_ path: String) -> CommandFailure {
    CommandFailure("No pictures in \(path.forMessage)", .failed)
  }

  private func chooseFavorites() async throws -> ExitStatus {
    let library = session.controller.library
    defer { Task { await library.close() } }
    if let reason = library.reasonNotReadable {
      throw CommandFailure(StorageWords.unreadable, because: reason)
    }
    let filter = request.words.joined(separator: " ")
    if let problem = FavoritesFilter.problem(in: filter) { throw CommandFailure(problem, .usage) }
    if !filter.isEmpty {
      try await library.collectionsHaveBeenRead()
      let unresolved = FavoritesFilter(filter, collections: library.collections).unresolved
      if let unresolved { throw CommandFailure(unresolved) }
    }
    return try await choose(from: .favorites(session.controller), filter: filter) { images in
      var lines: [[UInt8]] = []
      for image in images {
        lines.append(
          Array(
            request.printsIDs
              ? image.pictureID.digits.utf8
              : try await session.places.pictureFiles.path(of: image.dataRepresentation).utf8))
      }
      return lines
    }
  }

  /// Opens the screen, and prints what was chosen.
  ///
  /// - Parameter lines: returns what is printed of the chosen pictures.
  private func choose(
    from pictures: PickApp.Pictures, filter: String,
    printing lines: ([RemoteImage]) async throws -> [[UInt8]]
  ) async throws -> ExitStatus {
    guard let output = Self.takeTerminal() else { throw Screen.Failure.notATerminal }
    let app = try await session.runOnScreen { (terminal, display) throws(TerminalError) in
      let step = session.remembered.gridStep(of: display.output, cell: display.cell)
      return try PickApp(
        pictures, filter: filter, takesOne: request.takesOne, session,
        gridSize: GridSize(step: step.wrappedValue), terminal: terminal, on: display,
        clock: SystemClock())
    }
    if let words = PickApp.words(app.unreadable) {
      session.output.fail(CommandFailure(words, .done))
    }
    guard let chosen = app.chosen else {
      if let failure = app.failure {
        throw CommandFailure(StorageWords.unreadable, because: failure)
      }
      if app.isEmpty {
        if case .folder(_, let name) = pictures { throw noPicture(name) }
        throw CommandFailure(ActionWords.favorites(0), .failed)
      }
      return .failed
    }
    let printer = Output(data: output, log: session.log)
    do {
      for line in try await lines(chosen) {
        try printer.printPath(line, end: request.isNullTerminated ? 0 : UInt8(ascii: "\n"))
      }
      try printer.flush()
    } catch is Output.Closed {
      // The reader is gone, and needs no message.
      return .failed
    }
    return .done
  }

  /// Puts the terminal in place of standard input and output; returns a copy of the output.
  ///
  /// The keyboard and the screen are there then, wherever the pipes lead. Nil without a terminal.
  private static func takeTerminal() -> Int32? {
    let terminal = Descriptors.openDevice("/dev/tty", O_RDWR)
    guard terminal >= 0 else { return nil }
    defer { close(terminal) }
    let output = Descriptors.duplicate(STDOUT_FILENO)
    guard output >= 0, dup2(terminal, STDIN_FILENO) >= 0, dup2(terminal, STDOUT_FILENO) >= 0 else {
      return nil
    }
    return output
  }

  private func refuse(_ failure: Screen.Failure) -> ExitStatus {
    if case .notATerminal = failure {
      return fail(CommandFailure("Choosing needs a terminal", .usage))
    }
    return fail(CommandFailure("\(failure)", .usage))
  }

  private func fail(_ failure: CommandFailure) -> ExitStatus {
    session.output.fail(failure)
    return failure.status
  }
}
