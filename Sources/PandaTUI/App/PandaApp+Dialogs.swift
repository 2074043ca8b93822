internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The dialogs: what they ask, and what becomes of the answers.
extension PandaApp {
  /// Asks for a line of text.
  func ask(_ command: Command) {
    guard let image = target else { return }
    switch command {
    case .caption:
      dialog = .input(
        InputDialog(
          .caption(image), title: "Caption", note: "What you write under it. Empty: none",
          field: TextField(image.caption ?? "")))
    case .tags:
      dialog = .input(
        InputDialog(
          .tags(image), title: "Tags", note: "Words with spaces between, such as: sleepy snow",
          field: TextField(Tags.text(image.tags), limit: 900)))
    default: askForFile(image)
    }
  }

  /// Does what was typed into a dialog.
  func submit(_ text: String, of input: InputDialog) {
    switch input.purpose {
    case .caption(let image):
      dialog = nil
      let caption = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      change("Caption", image) { try await self.library.setCaption(caption, of: image) }
    case .tags(let image):
      dialog = nil
      change("Tags", image) { try await self.library.setTags(Tags.parse(text), of: image) }
    case .save(let image): save(image, as: text, askedBy: input)
    }
  }

  private func change(
    _ what: String, _ image: RemoteImage, _ work: @escaping @MainActor () async throws -> Void
  ) {
    let former = card.controller.saved(image)
    write {
      do {
        try await work()
        if self.card.controller.saved(image) != former {
          self.say(.info(self.keys.sentence("\(what) saved", then: .undo, "undoes")))
        }
      } catch {
        self.trouble = Trouble("\(what) not saved", error)
        self.say(.problem("\(what) not saved: \(userMessage(for: error))"))
      }
    }
  }

  /// Shows all that is known of a picture.
  func showDetails() {
    guard let image = target else { return }
    dialog = .text(TextDialog(title: "Details", lines: details(of: image), subject: image))
    observeAnew()
  }

  /// Brings the details that are shown to what is known now, here or in another terminal.
  func updateDetails() {
    guard case .text(var text) = dialog, let image = text.subject else { return }
    text.lines = details(of: card.controller.saved(image) ?? image)
    dialog = .text(text)
  }

  private func details(of image: RemoteImage) -> [TextDialog.Line] {
    PictureDetails(
      image, source: library.source(image.source), isFavorite: card.controller.isSaved(image),
      seen: library.seen.items.last { $0.id == image.id }, pandasMet: met.wrappedValue
    ).lines
  }

  /// Shows what went wrong last, and why.
  func showTrouble() {
    guard let trouble else { return }
    dialog = .text(TextDialog(title: "What went wrong", lines: trouble.lines))
  }
}

extension Trouble {
  /// What happened, in lines.
  fileprivate var lines: [TextDialog.Line] {
    [
      TextDialog.Line(label: "what", text: what.sanitized(upTo: 500)),
      TextDialog.Line(label: "why", text: sentence.sanitized(upTo: 500)),
      TextDialog.Line(label: "cause", text: cause.sanitized(upTo: 2_000)),
      TextDialog.Line(label: "when", text: "\(PictureDay(date).words), \(ClockTime(date).words)"),
    ]
  }
}
