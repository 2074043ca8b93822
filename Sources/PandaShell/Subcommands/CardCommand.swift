internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

enum CardCommand {
  static let subcommand = Subcommand(
    "card", in: .both, like: .picture(.shareCard), options: [.replacing],
    operands: [.id, CommandLineValue("FILE.png", .files)],
    missing: "the ID of a favorite, and the name of a file, or - for standard output",
    meansShown: true,
    summary: "write a favorite as a card to share: picture, caption and credit",
    discussion: "Writes a PNG file with a favorite, or a picture in the trash, its caption or "
      + "title below it, and a line with author, license and source. In a directory, the file "
      + "gets a name. Needs Pango (libpangocairo-1.0-0) and fonts; with fonts-noto, those of all "
      + "scripts and of emoji."
  ) { arguments in
    let (id, place) = (arguments.words[0], arguments.words[1])
    return .reading { session in
      if place == "-" { try session.requirePipe() }
      let image = try await session.favoriteOrTrashed(id)
      let content: CardFile.Content
      if place == "-" {
        content = try await drawing(session) { try await CardFile.content(of: image) }
        try session.output.write(content.data)
      } else {
        let path: String
        (path, content) = try await drawing(session) {
          try await CardFile.save(image, to: place, replaces: arguments.has(.replacing))
        }
        session.output.say("Saved as \(path)")
      }
      if content.lacksGlyphs { session.output.say(CardFile.missingFonts) }
    }
  }

  static let noCardWritten = "No card was written"

  /// Draws a card, and words a failure; if the favorites' file is damaged, after recovering it.
  @MainActor
  private static func drawing<Result>(
    _ session: Session, _ draw: () async throws -> Result
  ) async throws -> Result {
    let what = Self.noCardWritten
    return try await session.reading {
      do {
        return try await draw()
      } catch let error as PictureFileError where error.reason == .exists {
        throw CommandFailure("\(what): \(userMessage(for: error)), or add --replace", .failed)
      } catch let error where ErrorKind(of: error) != .damage {
        throw CommandFailure(what, because: error)
      }
    }
  }
}
