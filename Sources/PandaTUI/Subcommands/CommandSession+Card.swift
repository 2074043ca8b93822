internal import FoundationEssentials
internal import PandaCore
internal import TerminalKit

extension CommandSession {
  func writeCard(of id: String, to place: String, replaces: Bool) async throws {
    let image = try await favoriteOrTrashed(id)
    let content: CardFile.Content
    if place == "-" {
      content = try await drawing { try await CardFile.content(of: image) }
      try output.write(content.data)
    } else {
      let path: String
      (path, content) = try await drawing {
        try await CardFile.save(image, to: place, replaces: replaces)
      }
      output.say("Saved as \(path)")
    }
    if content.lacksGlyphs { output.say(CardFile.missingFonts) }
  }

  nonisolated static let noCardWritten = "No card was written"

  /// Draws a card, and words a failure; if the favorites' file is damaged, after recovering it.
  private func drawing<Result>(_ draw: () async throws -> Result) async throws -> Result {
    let what = Self.noCardWritten
    return try await reading {
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
