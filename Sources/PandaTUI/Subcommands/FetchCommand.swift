internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

@MainActor
struct FetchCommand: SessionCommand {
  let session: CommandSession

  func run(_ request: FetchRequest) async throws {
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
      await remember(image)
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

  /// Keeps the picture among those that were shown, so that its ID can be shown and added.
  private func remember(_ image: RemoteImage) async {
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
