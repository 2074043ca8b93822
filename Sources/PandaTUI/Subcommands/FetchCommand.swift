internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// `panda fetch`.
@MainActor
struct FetchCommand: SessionCommand {
  let session: CommandSession

  func run(_ request: FetchRequest) async throws {
    let memory = Memory(session)
    do {
      try await fetch(request, memory)
    } catch {
      await memory.end()
      throw error
    }
    await memory.end()
  }

  private func fetch(_ request: FetchRequest, _ memory: Memory) async throws {
    if let place = request.output, request.count > 1, !Self.isDirectory(place) {
      throw CommandFailure(
        "\(place.forMessage) is not a directory, which several pictures need", .usage)
    }
    if request.keeps { try await load() }
    let json = JSONLines()
    for _ in 0..<request.count {
      let image: RemoteImage
      do {
        image = try await controller.fetchImage()
      } catch {
        // Data that is not a picture counts as a network failure too.
        throw CommandFailure(
          "\(userMessage(for: error)). panda fetch --source grove draws one",
          ExitStatus(for: error).worse(.network), cause: error)
      }
      await memory.note(image)
      let data = try await image.dataRepresentation.data()
      if request.output == "-" { return try output.write(data) }
      let line =
        options.json
        ? String(
          decoding: try json.line(PictureRecord(image, isFavorite: true)), as: UTF8.self)
        : "\(image.pictureID)  \(ImageDescription(image).line)  \(image.id)"
      if request.shows || output.isTerminal && request.output == nil && !options.json {
        try output.flush()
        // The others say that it was saved, or kept.
        let lines = [line] + [request.output != nil, request.keeps].filter { $0 }.map { _ in "" }
        output.note(
          try await ShowCommand.print(
            data, named: image.name, options, session.configuration, above: lines))
      }
      try await keep(image, data, request)
      if options.json {
        let record = PictureRecord(image, isFavorite: controller.isSaved(image))
        try output.write(try json.line(record) + [UInt8(ascii: "\n")])
      } else {
        try output.print(line)
      }
      try output.flush()
    }
  }

  /// What is known about pictures and services.
  ///
  /// Where there was no library, one is begun for the first picture, or for the requests that a
  /// service has been sent: without a network nothing is left behind.
  @MainActor
  private final class Memory {
    private let session: CommandSession
    private var begun: ImageLibrary?

    init(_ session: CommandSession) { self.session = session }

    private func library() throws -> ImageLibrary {
      guard session.lacksLibrary else { return session.controller.library }
      let library = try begun ?? session.opening.library()
      begun = library
      return library
    }

    /// Keeps the picture among those that were shown, so that its ID can be shown and added.
    func note(_ image: RemoteImage) async {
      do {
        try await library().noteSeen(image)
      } catch {
        session.output.say("Its ID will be unknown: \(userMessage(for: error))")
      }
    }

    func end() async {
      guard session.lacksLibrary else { return }
      let memory = session.controller.library
      do {
        if begun == nil, try await !memory.hasAskedServices() { return }
        try await library().addRecords(of: memory)
        // Its load would open the closed file again.
        try await library().favorites.itemsHaveLoaded()
      } catch {
        session.output.log.error(.storage, technicalCause(of: error))
      }
      await begun?.close()
    }
  }

  private func keep(_ image: RemoteImage, _ data: Data, _ request: FetchRequest) async throws {
    if let place = request.output {
      let format = data.withUnsafeBytes { PictureFormat(sniffing: $0) }
      let name = SaveDestination.suggestion(
        createdAt: image.createdAt, digest: image.dataRepresentation.digest, format: format)
      do {
        let path = try await PictureFile.save(data, to: place, suggestion: name)
        output.say("Saved as \(path)\(Self.surprise(format, named: path))")
      } catch {
        throw CommandFailure("Not saved", because: error)
      }
    }
    if request.keeps {
      let look = await PictureLook.look(at: image.dataRepresentation, with: PictureDecoder())
      try session.tell(await controller.favorite(image, isDamaged: look.isDamaged), of: image.name)
    }
  }

  /// Returns what a file has that its name does not say; empty if the name says it.
  private static func surprise(_ format: PictureFormat?, named path: String) -> String {
    guard let format else { return "" }
    let extensions = format == .jpeg ? ["jpg", "jpeg"] : [format.rawValue]
    let isNamed = extensions.contains(URL(filePath: path).pathExtension.lowercased())
    return isNamed ? "" : ", which is a \(format.name) file"
  }

  private static func isDirectory(_ path: String) -> Bool {
    var isDirectory = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
  }
}
