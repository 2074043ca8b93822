internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// The dialogs: their questions, and the handling of the answers.
extension PandaApp {
  /// Asks for a line of text.
  func ask(_ command: Command) {
    if !marked.isEmpty { return askForMarked(command) }
    guard let image = command == .save ? target : captionTarget else { return }
    switch command {
    case .caption:
      model.dialog = .input(
        InputDialog(
          .caption(image), title: title("Caption", for: image),
          note: "What you write under it. Empty: none",
          field: TextField(image.caption ?? "", limit: PictureActions.captionLimit)))
    case .tags:
      model.dialog = .input(
        InputDialog(
          .tags(image), title: title("Tags", for: image),
          note: "Words with spaces between, such as: sleepy snow",
          // Another tag is typed behind the last one.
          field: TextField(image.tags.map { $0 + " " }.joined(), limit: PictureActions.tagsLimit),
          completion: tagCompletion))
    default: askForFile(image)
    }
  }

  /// Completes to the tags of all favorites.
  var tagCompletion: TagCompletion { TagCompletion(Tags.uses(in: carousel.controller.images)) }

  /// Returns a title that says which picture the text is for.
  private func title(_ subject: String, for image: RemoteImage) -> String {
    let which = image.id == target?.id ? "" : "the panda just kept: "
    let beginning = "\(subject) for \(which)"
    return beginning + image.name.shortened(to: InputDialog.titleColumns - beginning.columns)
  }

  /// Performs what was typed into a dialog.
  func submit(_ text: String, of input: InputDialog) {
    switch input.purpose {
    case .caption(let image):
      guard hasFavorites([image], askedBy: input) else { return }
      model.dialog = nil
      write { await self.actions.setCaption(text, of: image) }
    case .tags(let image):
      guard hasFavorites([image], askedBy: input), fits(Tags.excess(in: text), askedBy: input)
      else { return }
      model.dialog = nil
      write { await self.actions.setTags(text, of: image) }
    case .save(let image): save(image, as: text, askedBy: input)
    case .shareCard(let image): saveCard(of: image, as: text, askedBy: input)
    case .collection(let filter): keep(filter, as: text, askedBy: input)
    case .collect(let images): collect(images, as: text, askedBy: input)
    default: submitForMarked(text, of: input)
    }
  }

  /// Returns whether any of the pictures is still a favorite.
  ///
  /// If not, the dialog stays open and says so: what was typed is not lost.
  func hasFavorites(_ images: [RemoteImage], askedBy input: InputDialog) -> Bool {
    guard !images.contains(where: carousel.controller.isSaved) else { return true }
    let which = images.count == 1 ? "This panda is no longer a favorite" : "They were all removed"
    change(input) { $0.problem = which }
    return false
  }

  /// Returns whether tags fit; if not, the dialog stays open and says so.
  func fits(_ excess: Tags.Excess?, askedBy input: InputDialog) -> Bool {
    guard let excess else { return true }
    change(input) { $0.problem = ActionWords(names: keys).sentence(for: .tagsDoNotFit(excess)) }
    return false
  }

  /// Reports a change of text; unchanged text is not reported.
  func write(_ action: @escaping @MainActor () async -> ActionOutcome) {
    begin {
      let outcome = await action()
      if case .refused(let refusal) = outcome, refusal.meansUnchanged { return }
      self.tell(outcome)
    }
  }

  /// Lists the keys, by what they do where the user is.
  func showHelp() {
    var texts: [Command: String] = [:]
    if isInTrash {
      texts[.favorite] = "Restore the picture: a favorite again"
      texts[.remove] = "Delete the picture for good, after asking"
      texts[.show] = "Show the selected picture on the card"
      texts[.trash] = "Go back to the favorites"
    } else if model.showsGrid {
      texts[.favorite] = "Mark the selected favorite, or unmark it"
    } else if pane == .card, card.isShownSaved {
      texts[.favorite] = "Find the picture among the favorites"
    }
    var here = mattering
    if model.showsGrid, !zoom.isOpen {
      texts[.grid] = "Go back to the card"
      here.formUnion([.larger, .smaller, .remove])
    }
    model.dialog = .help(HelpDialog(keys, texts: texts, here: here) { reason(against: $0) })
  }

  /// Shows all known details of a picture.
  func showDetails() {
    guard let image = target else { return }
    model.dialog = .text(TextDialog(title: "Details", lines: details(of: image), subject: image))
  }

  /// The dialog with current data, including changes from another terminal; observed.
  var currentDialog: Dialog? {
    if case .collections(var collections) = model.dialog {
      update(&collections)
      return .collections(collections)
    }
    switch model.dialog {
    case .text(var text):
      guard let image = text.subject else { return .text(text) }
      text.lines = details(of: card.controller.saved(image) ?? image)
      return .text(text)
    case .sources(var sources):
      if let ring { sources.statuses = ring.statuses }
      return .sources(sources)
    case let dialog: return dialog
    }
  }

  private func details(of image: RemoteImage) -> [TextDialog.Line] {
    let isFavorite = card.controller.isSaved(image)
    return PictureDetails(
      image, source: card.controller.sourceRecord(image.source), isFavorite: isFavorite,
      removedAt: isFavorite ? nil : card.controller.trashed(image.id)?.removedAt,
      seen: card.controller.seen.last { $0.id == image.id },
      seenCount: card.controller.seenCount ?? 0, now: clock.date,
      tellsPaths: !keys.isForKiosk
    ).lines
  }

  /// Says that pictures are not shown as they could be, for lack of a library.
  ///
  /// A late answer of the terminal may be the reason that none is needed any more.
  func reportMissingLibrary() {
    guard terminal.choice.lacksLibrary else {
      if model.trouble?.isMissingLibrary == true {
        model.trouble = nil
        model.clearMessage()
      }
      return
    }
    let trouble = Trouble.missingLibrary(terminal.choice, at: clock.date)
    keep(trouble)
    say(.problem(trouble.what))
  }

  /// Says which settings are ignored: the first one at once, and all behind a key.
  func reportSettings() {
    let label = keys.label(of: .problem)
    let others = label.isEmpty ? "panda doctor tells" : "\(label) shows"
    if let summary = parts.settingsIgnored.summary(others: others) { say(.problem(summary)) }
  }

  /// Whether there is a problem that the user can look up.
  var hasTrouble: Bool { model.trouble != nil || !parts.settingsIgnored.isEmpty }

  /// Shows the last problem and its cause.
  func showTrouble() {
    var lines = model.trouble?.lines ?? []
    if let next = card.nextTry, !card.state.connection.isUp, next > clock.date {
      lines.append(TextDialog.Line(label: "next", text: "tried at \(ClockTime(next).words)"))
    }
    // That nothing is saved stays true, whatever else has gone wrong since.
    if let place = placeTrouble {
      if place.what != model.trouble?.what { lines += place.lines.dropLast() }
      lines.append(TextDialog.Line(label: "then", text: PlaceWords.remedy))
    }
    lines += parts.settingsIgnored.enumerated().map { number, problem in
      TextDialog.Line(label: number == 0 ? "ignored" : "", text: "\(problem)")
    }
    model.dialog = .text(TextDialog(title: "What went wrong", lines: lines))
  }
}

extension Trouble {
  /// The problem as lines of text.
  fileprivate var lines: [TextDialog.Line] {
    var lines = [
      TextDialog.Line(label: "what", text: what.sanitized(upTo: 500)),
      TextDialog.Line(label: "why", text: sentence.sanitized(upTo: 500)),
    ]
    if cause != sentence {
      lines.append(TextDialog.Line(label: "cause", text: cause.sanitized(upTo: 2_000)))
    }
    lines.append(
      TextDialog.Line(
        label: "when", text: "\(PictureDay(date).words), \(ClockTime(date).words)"))
    return lines
  }
}
