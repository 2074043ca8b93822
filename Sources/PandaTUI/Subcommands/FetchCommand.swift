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
    var controller = controller
    do {
      try await fetch(request, &controller)
    } catch {
      // What a service was asked counts, though nothing came of it.
      if session.lacksLibrary, controller === self.controller,
        (try? await controller.library.hasAskedServices()) == true  // in memory: cannot fail
      {
        await begin(&controller)
      }
      if session.lacksLibrary { await controller.library.close() }
      throw error
    }
    if session.lacksLibrary { await controller.library.close() }
  }

  private func fetch(
    _ request: FetchRequest, _ controller: inout ImagesController
  ) async throws {
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
      // Without a network nothing is left behind.
      if session.lacksLibrary, controller === self.controller { await begin(&controller) }
      await remember(image, controller)
      let data = try await image.dataRepresentation.data()
      if request.output == "-" { return try output.write(data) }
      let line =
        options.json
        ? String(
          decoding: try json.line(session.record(image, isFavorite: true)), as: UTF8.self)
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
        let record = session.record(image, isFavorite: controller.isSaved(image))
        try output.write(try json.line(record) + [UInt8(ascii: "\n")])
      } else {
        try output.print(line)
      }
      try output.flush()
    }
  }

  /// Begins the library on disk with what the one in memory knows about services.
  private func begin(_ controller: inout ImagesController) async {
    do {
      let library = try session.opening.library()
      if let missing = StorageWords.missing(library.exposure) {
        output.fail(CommandFailure(missing, .done))
      }
      try await library.addRecords(of: controller.library)
      // Its load would open the file again after it is closed.
      try await library.favorites.itemsHaveLoaded()
      controller = try PictureSources(
        session.configuration, library: library, client: session.client(),
        disabled: session.remembered.disabledSources.wrappedValue
      ).controller(library)
    } catch {
      output.say("Nothing is remembered: \(userMessage(for: error))")
    }
  }

  /// Keeps the picture among those that were shown, so that its ID can be shown and added.
  private func remember(_ image: RemoteImage, _ controller: ImagesController) async {
    do {
      try await controller.library.noteSeen(image)
      if !session.keepsInMemory, let reason = controller.library.reasonNotSaved { throw reason }
    } catch {
      output.say("Its ID will be unknown: \(userMessage(for: error))")
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
