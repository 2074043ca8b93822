internal import FoundationEssentials
internal import Glibc
internal import PandaCore
package import PandaSession
internal import Pantry
internal import SystemSupport
internal import TerminalKit

/// `panda pick`: chooses pictures on the screen, and prints where they are.
///
/// The screen is on the terminal itself, so that standard output can be a pipe. It changes no
/// favorite, and needs no library for a directory.
@MainActor
package struct PickCommand {
  package let request: PickRequest
  package let session: Session

  /// Performs a request; returns the exit status.
  package static func run(_ request: PickRequest, _ session: Session) async -> ExitStatus {
    await PickCommand(request: request, session: session).run()
  }

  private func run() async -> ExitStatus {
    do {
      try session.checkTerminal()
      if let files = try files() {
        try await choose(from: files.pictures, filter: files.filter)
      } else {
        try await chooseFavorites()
      }
    } catch Screen.Failure.notATerminal {
      session.output.fail(CommandFailure("Choosing needs a terminal", .usage))
    } catch let failure as Screen.Failure {
      session.output.fail(CommandFailure("\(failure)", .usage))
    } catch is Output.Closed {
      // The reader is gone, and needs no message.
      session.output.note(.failed)
    } catch {
      session.output.fail(CommandFailure(nil, because: error))
    }
    return session.output.status
  }

  /// The files of the directory that is named, or those that are named here or on standard input;
  /// nil if favorites are meant.
  private func files() throws -> (
    pictures: (pictures: FolderPictures, name: String), filter: String
  )? {
    var words = request.words
    if words.isEmpty, isatty(STDIN_FILENO) == 0 {
      while let line = readLine() { words.append(line) }
    }
    guard let path = words.first else { return nil }
    let isDirectory = SourceChoice.isDirectory(path)
    // A filter has no slash.
    guard isDirectory || path.contains("/") || SourceChoice.isFile(path) || request.words.isEmpty
    else { return nil }
    guard !request.printsIDs else { throw CommandFailure("Files have paths, and no IDs", .usage) }
    let pictures: FolderPictures
    do throws(FileError) {
      pictures = try isDirectory ? FolderPictures(of: path) : FolderPictures(of: words)
    } catch {
      throw CommandFailure(
        "\(error.path.forMessage): \(SystemError(code: error.code))",
        error.code == ENOENT ? .notFound : .failed)
    }
    guard isDirectory else { return ((pictures, "Files"), "") }
    guard !pictures.isEmpty else { throw noPicture(path) }
    let name = path.split(separator: "/").last.map { String($0) } ?? path
    return ((pictures, name), words.dropFirst().joined(separator: " "))
  }

  private func noPicture(_ path: String) -> CommandFailure {
    CommandFailure("No pictures in \(path.forMessage)", .failed)
  }

  private func chooseFavorites() async throws {
    try session.requireReadable()
    let filter = request.words.joined(separator: " ")
    _ = try await session.filter(filter)
    try await choose(from: nil, filter: filter)
    await session.library.close()
  }

  /// Opens the screen, and prints what was chosen.
  ///
  /// - Parameter folder: nil means the favorites.
  private func choose(
    from folder: (pictures: FolderPictures, name: String)?, filter: String
  ) async throws {
    guard let data = Self.takeTerminal() else { throw Screen.Failure.notATerminal }
    let picking = Picking(takesOne: request.takesOne, folder: folder, filter: filter)
    // A folder needs no library.
    let session =
      folder == nil
      ? session
      : Session(
        session.options, session.settings, output: session.output, library: { _ in .inMemory() },
        sources: { _ in PictureSources(BambooGroveSource(), fallback: nil) })
    _ = try await session.runOnScreen { (terminal, display) throws(TerminalError) in
      try PandaApp(session, terminal, picking: picking, on: display, clock: SystemClock())
    }
    if let words = picking.unreadableWords { session.output.fail(CommandFailure(words, .done)) }
    if let failure = picking.failure {
      throw CommandFailure(StorageWords.unreadable, because: failure)
    }
    if picking.isEmpty {
      throw folder.map { noPicture($0.name) } ?? CommandFailure(ActionWords.favorites(0), .failed)
    }
    guard let chosen = picking.chosen else { return session.output.note(.failed) }
    let printer = Output(data: data, log: session.log)
    for image in chosen {
      let line: [UInt8]? =
        if let folder {
          folder.pictures.path(of: image)
        } else if request.printsIDs {
          Array(image.pictureID.digits.utf8)
        } else {
          Array(try await session.places.pictureFiles.path(of: image.dataRepresentation).utf8)
        }
      if let line {
        try printer.printPath(line, end: request.isNullTerminated ? 0 : UInt8(ascii: "\n"))
      }
    }
    try printer.flush()
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
}
