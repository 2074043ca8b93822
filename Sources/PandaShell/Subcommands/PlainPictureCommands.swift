internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// The commands of `--plain` alone that are about a picture.
enum PlainPictureCommands {
  static let all = [hide, tags, details, open, save, address, credit]

  private static let hide = Subcommand(
    "hide", in: .plain, like: .card(.hide), operands: [.id], meansShown: true,
    summary: "never show this panda again"
  ) { arguments in
    .answering { conversation in
      let session = conversation.session
      try session.requireReadable()
      let image = try await session.favoriteOrTrashed(arguments.words[0])
      try session.tell(await session.controller.hide(image))
      await conversation.fetch()
    }
  }

  private static let tags = Subcommand(
    "tags", in: .plain, like: .favorites(.tags),
    operands: [.id, CommandLineValue("TAGS", repeats: true)], missing: "the tags",
    meansShown: true, takesText: true,
    summary: "set the tags of a favorite, such as sleepy snow; without any, remove them"
  ) { arguments in
    .answering { conversation in
      let session = conversation.session
      try await session.load()
      let image = try await session.favorite(arguments.words[0])
      try session.tell(
        await session.controller.setTags(arguments.text(from: 1), of: image), of: image.name)
    }
  }

  private static let details = about(
    "details", like: .details, summary: "tell all that is known of the picture"
  ) { image, conversation in
    let library = conversation.controller.library
    do {
      try await library.seen.itemsHaveLoaded()
      try await library.sightings.haveLoaded()
    } catch {
      // The other details are known nevertheless.
      conversation.trouble = Trouble(
        "Your history cannot be read", error, at: conversation.now())
    }
    let isFavorite = conversation.controller.isSaved(image)
    let details = PictureDetails(
      image, source: library.sources[image.source], isFavorite: isFavorite,
      removedAt: isFavorite ? nil : library.trashed(image.id)?.removedAt,
      seen: library.seen.items.last { $0.id == image.id },
      sighting: library.sightings[image.id], now: conversation.now())
    for line in details.lines { try conversation.output.print("\(line.label): \(line.text)") }
  }

  private static let address = about(
    "address", like: .copyAddress, summary: "print the address of its page, or of the picture"
  ) { try $1.output.print(($0.page ?? $0.url).absoluteString) }

  private static let credit = about(
    "credit", summary: "print a line that credits its maker"
  ) { image, conversation in
    let line = CreditLine(image, named: conversation.session.configuration.namedSources)
    try conversation.output.print(line.text)
  }

  /// A command about a picture by its ID, among favorites, trash and what was seen.
  private static func about(
    _ name: String, like command: Command.Picture? = nil, summary: String,
    _ body: @escaping @MainActor @Sendable (RemoteImage, Conversation) async throws -> Void
  ) -> Subcommand {
    Subcommand(
      name, in: .plain, like: command.map(Command.picture), operands: [.id], meansShown: true,
      summary: summary
    ) { arguments in
      .answering { conversation in
        try await body(
          try await conversation.session.favoriteOrTrashed(arguments.words[0]), conversation)
      }
    }
  }

  private static let open = Subcommand(
    "open", in: .plain, like: .picture(.open), operands: [.id], missing: "the ID of a favorite",
    meansShown: true,
    summary: "open the web page of a favorite in the browser",
    discussion: "Opens the page of a favorite in the browser, or else the picture. Over SSH, "
      + "prints the address."
  ) { arguments in
    .answering { conversation in
      let (session, output) = (conversation.session, conversation.output)
      try session.requireReadable()
      let image = try await session.favorite(arguments.words[0])
      let decision = Browser.decision(
        for: image.page ?? image.url, named: session.configuration.namedSources,
        environment: session.environment)
      switch decision {
      case .copy(let address): try output.print(address.description)
      case .refuse: throw session.failure(.isNotOnTheWeb)
      case .open(let address):
        let outcome = await Browser.open(address)
        guard outcome == .opened else {
          throw CommandFailure("\(outcome.sentence). It is \(address)", .failed)
        }
        output.say("Opened \(address)")
      }
    }
  }

  private static let save = Subcommand(
    "save", in: .plain, like: .picture(.save),
    operands: [.id, CommandLineValue("FILE", .files, repeats: true)],
    missing: "the name of a file that is not there yet", meansShown: true, takesText: true,
    summary: "save the picture to a file that is not there yet"
  ) { arguments in
    .answering { conversation in
      let image = try await conversation.session.favoriteOrTrashed(arguments.words[0])
      do {
        let bytes = try await image.dataRepresentation.data()
        let format = bytes.withUnsafeBytes { PictureFormat(sniffing: $0) }
        let written = try await PictureFile.save(
          bytes, to: arguments.text(from: 1),
          suggestion: SaveDestination.suggestion(for: image, format: format))
        conversation.say("Saved as \(written)")
      } catch {
        throw CommandFailure("Not saved", because: error)
      }
    }
  }
}
