internal import FoundationEssentials
internal import PandaCore
internal import TerminalKit

/// `panda card`.
extension CommandSession {
  func writeCard(of id: String, to place: String, replaces: Bool) async throws {
    let image = try await favoriteOrTrashed(id)
    let what = "No card was written"
    let content = try await reading {
      do {
        return try await CardFile.content(of: image)
      } catch let error where !Trouble(what, error).isDamage {
        throw CommandFailure(what, because: error)
      }
    }
    if place == "-" {
      try output.write(content.data)
    } else {
      do {
        let path = try await PictureFile.save(
          content.data, to: place, suggestion: CardFile.suggestion(for: image), replaces: replaces)
        output.say("Saved as \(path)")
      } catch {
        throw CommandFailure(what, because: error)
      }
    }
    if content.lacksGlyphs { output.say(CardFile.missingFonts) }
  }
}
