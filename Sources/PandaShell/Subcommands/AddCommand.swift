internal import FoundationEssentials
internal import Glibc
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import SystemSupport

@MainActor
struct AddCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "add", in: .both, options: [.json],
    operands: [CommandLineValue("URL|FILE|DIR", .files, repeats: true)],
    missing: "an address, a picture file or a directory",
    summary: "add pictures: files, those of a directory, or addresses",
    discussion: "Makes JPEG, PNG, WebP, GIF, HEIC and AVIF files favorites, all those of a "
      + "directory and of "
      + "those inside it, up to 8 deep, and what http and https addresses answer with. Files are "
      + "known by their content: a folder that was moved adds nothing, and a changed file is "
      + "another favorite; file:// addresses are files. One panda undo takes all of them back. Files that are not whole "
      + "pictures are named and left out; what was passed over is counted. - is the picture on "
      + "standard input."
  ) { arguments in
    .changing { session in
      if session.conversation != nil, arguments.words.contains("-") {
        throw CommandFailure("- is standard input, which has your commands here", .usage)
      }
      try await AddCommand(session: session, printsJSON: arguments.has(.json))
        .run(arguments.words)
    }
  }

  let session: Session
  let printsJSON: Bool

  /// Makes pictures favorites, in parts that fit into memory, and in one step for undo.
  func run(_ places: [String]) async throws {
    try await load()
    let step = UUID().uuidString
    let failuresBefore = output.failureCount
    var counts = AddedCounts()
    var failure: CommandFailure?
    var pictures: [PictureOrigin] = []
    for place in places {
      pictures += try await origins(of: place, passingOver: &counts.passedOver)
    }
    let intake = PictureIntake(
      pictures, thumbnails: ThumbnailCache(directory: session.places.thumbnails), now: session.now)
    do {
      output.showProgress("0 of \(pictures.count)")
      while case let part = await intake.next(), !part.isEmpty {
        var images: [RemoteImage] = []
        for (origin, result) in part {
          switch result {
          case .success(let image): images.append(image)
          case .failure(let error) where origin.mayHold(error):
            counts.passedOver.count(.noPicture)
          case .failure(let error):
            output.showProgress(nil)
            output.fail(CommandFailure(origin.name, because: error))
          }
        }
        let saved = try await controller.library.save(images, step: step)
        counts.seen += part.count
        counts.saved += saved.count
        counts.known += images.count - saved.count
        counts.noted += saved.count { $0.caption != nil || !$0.tags.isEmpty }
        output.showProgress("\(counts.seen) of \(pictures.count)")
        try report(saved)
      }
    } catch is Output.Closed {
      throw Output.Closed()
    } catch {
      failure = CommandFailure("Not saved", because: error)
    }
    output.showProgress(nil)
    await intake.close()
    if counts.saved + counts.known > 0 || output.failureCount == failuresBefore {
      output.say(counts.sentence(session.names))
    }
    if let words = counts.passedOver.words {
      output.say("\(words.prefix(1).uppercased())\(words.dropFirst())")
    }
    if let failure { throw failure }
  }

  private func report(_ saved: [RemoteImage]) throws {
    for image in saved {
      if printsJSON {
        try output.write(session.record(image).outputLine)
      } else if !output.isTerminal, session.conversation == nil {
        // On a terminal the sentence at the end says enough.
        try output.print("\(image.pictureID)")
      }
    }
  }

  private func origins(
    of place: String, passingOver passedOver: inout PassedOver
  ) async throws -> [PictureOrigin] {
    if place.hasPrefix("http://") || place.hasPrefix("https://") {
      guard let url = URL(typed: place), url.host() != nil
      else {
        output.fail(CommandFailure("\(place.forMessage) is not an address", .usage))
        return []
      }
      return [.web(url, { session.client })]
    }
    if place == "-" { return input().map { [.input($0)] } ?? [] }
    var place = place
    if place.hasPrefix("file://"), let url = URL(string: place) {
      place = url.path(percentEncoded: false)
    }
    do throws(FileError) {
      var isDirectory = false
      _ = FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory)
      let found = try LocalPicture.all(at: place)
      passedOver.add(found.passedOver)
      return found.pictures.map { [isDirectory] in .file($0, inDirectory: isDirectory) }
    } catch {
      if error.code == ENOENT, PictureLookup.mayBePicture(place),
        let image = try await session.seen(place)
      {
        return [.shown(image)]
      }
      output.fail(
        CommandFailure(
          "\(place.forMessage): \(SystemError(code: error.code))",
          error.code == ENOENT ? .notFound : .failed))
      return []
    }
  }

  /// Returns the picture on standard input; nil if it cannot be read, which was reported.
  private func input() -> Data? {
    do {
      return try ShowCommand.read("-")
    } catch {
      output.fail(
        error as? CommandFailure ?? CommandFailure("standard input", because: error))
      return nil
    }
  }
}

private struct AddedCounts {
  var seen = 0
  var saved = 0
  var known = 0
  /// Those that got a caption or tags from their files.
  var noted = 0
  var passedOver = PassedOver()

  func sentence(_ names: any ActionNames) -> String {
    let also = known == 0 ? "" : "; \(known) \(known == 1 ? "was" : "were") among them already"
    switch saved {
    case 0 where known > 0:
      return
        "Nothing new: \(known == 1 ? "it is a favorite" : "all \(known) are favorites") already"
    case 0: return "No picture was added"
    default:
      let pictures = saved == 1 ? "1 picture" : "\(saved) pictures"
      let notes =
        switch (noted, saved) {
        case (0, _): ""
        case (_, 1): ", with the caption or tags in its file"
        case (saved, _): ", with the captions or tags in their files"
        default: ", \(noted) of them with the captions or tags in their files"
        }
      return names.sentence(
        "Added \(pictures) to your favorites\(notes)\(also)", action: .undo,
        saved == 1 ? "takes it back" : "takes them back")
    }
  }
}
