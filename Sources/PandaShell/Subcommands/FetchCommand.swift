internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

@MainActor
struct FetchCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "fetch", in: .both, like: .card(.fetch), options: [.number, output, keep, show, .size, .json],
    summary: "fetch a red panda, or several",
    discussion: "Fetches red pandas from the sources, and prints a line about each. They are "
      + "only kept with --keep."
  ) { arguments throws(UsageError) in
    let request = FetchCommand.Request(
      count: try arguments.number(.number, in: 1...1_000) ?? 1, output: arguments[output],
      keeps: arguments.has(keep), shows: arguments.has(show), size: try arguments.size(),
      printsJSON: arguments.has(.json))
    if request.output == "" { throw UsageError(problem: "--output needs a file") }
    if request.output == "-", request.shows || request.printsJSON || request.count > 1 {
      throw UsageError(problem: "--output - prints the bytes of one picture and nothing else")
    }
    return .session(.sources) { session in
      try await FetchCommand(session: session, request: request).run()
    }
  }

  private nonisolated static let output = CommandLineOption(
    "output", letter: "o", value: CommandLineValue("FILE", .files),
    help: "save the picture as FILE, or in that directory; - is standard output")
  private nonisolated static let keep = CommandLineOption("keep", help: "keep it as a favorite")
  private nonisolated static let show = CommandLineOption(
    "show", help: "show the picture, as panda show does")

  struct Request {
    let count: Int
    /// The file or directory to save to; `-` is standard output.
    let output: String?
    let keeps: Bool
    let shows: Bool
    let size: CellSize?
    let printsJSON: Bool
  }

  let session: Session
  let request: Request

  func run() async throws {
    if request.keeps { try session.requireChangeable() }
    if let conversation = session.conversation {
      if request.output == nil, !request.shows, !request.printsJSON {
        return try await converse(conversation)
      }
      conversation.tellLateFailure()
    }
    if request.output == "-" { try session.requirePipe() }
    if let place = request.output, request.count > 1, !Self.isDirectory(place) {
      throw CommandFailure(
        "\(place.forMessage) is not a directory, which several pictures need", .usage)
    }
    if request.keeps { try await load() }
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
        request.printsJSON
        ? "\(session.record(image))"
        : "\(image.pictureID)  \(ImageDescription(image).line)  \(image.id)"
      if request.shows || output.isTerminal && request.output == nil && !request.printsJSON {
        try output.flush()
        // The others say that it was saved, or kept.
        let lines = [line] + [request.output != nil, request.keeps].filter { $0 }.map { _ in "" }
        output.note(
          try await ShowCommand.print(
            data, named: image.name, session, size: request.size, above: lines))
      }
      try await keep(image, data)
      if request.printsJSON {
        let record = session.record(image, isFavorite: controller.isSaved(image))
        try output.write(record.outputLine)
      } else {
        try output.print(line)
      }
      try output.flush()
    }
  }

  /// Describes new pandas, and keeps them if that is wanted: never a drawing in place of one.
  private func converse(_ conversation: Conversation) async throws {
    // It reports a late failure itself.
    conversation.lateFailure = nil
    for _ in 1...request.count {
      let isNew = await conversation.fetch()
      guard request.keeps else { continue }
      guard isNew else { return }
      try await conversation.favorite()
    }
  }

  /// Keeps the picture among those that were shown, so that its ID can be shown and added.
  private func remember(_ image: RemoteImage) async {
    do {
      try await controller.library.noteSeen(image)
      if session.conversation == nil, let reason = controller.library.reasonNotSaved {
        throw reason
      }
    } catch {
      output.say("Its ID will be unknown: \(userMessage(for: error))")
    }
  }

  private func keep(_ image: RemoteImage, _ data: Data) async throws {
    if let place = request.output {
      let format = data.withUnsafeBytes { PictureFormat(sniffing: $0) }
      let name = SaveDestination.suggestion(for: image, format: format)
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
