internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

/// What is done to all marked favorites.
extension PandaApp {
  /// The marked pictures, if commands apply to the pane that has them.
  ///
  /// None behind an enlarged picture, which is meant alone.
  var marked: [RemoteImage] { pane == .carousel && !zoom.isOpen ? carousel.marked : [] }

  /// Asks for a line of text for all marked ones.
  func askForMarked(_ command: Command) {
    let images = marked
    let pandas = images.count == 1 ? "1 panda" : "\(images.count) pandas"
    switch command {
    case .caption:
      model.dialog = .input(
        InputDialog(
          .captions(images), title: "Caption for \(pandas)",
          note: "The same under each of them. Empty changes nothing, - removes them",
          field: TextField("", limit: PictureActions.captionLimit)))
    case .tags:
      model.dialog = .input(
        InputDialog(
          .changeTags(images), title: "Tags for \(pandas)",
          note: "Words to add, and words to take away after a minus: sleepy -snow",
          field: TextField("", limit: PictureActions.tagsLimit), completion: tagCompletion))
    default:
      model.dialog = .input(
        InputDialog(
          .export(images), title: "Export \(pandas)",
          note: "A directory, or a file that ends in .tar or .html",
          field: TextField("pandas-\(PictureDay(clock.date).numbers)", limit: 4_000)))
    }
  }

  /// Does what was asked for to all that were marked.
  func submitForMarked(_ text: String, of input: InputDialog) {
    switch input.purpose {
    case .captions(let images):
      guard hasFavorites(images, askedBy: input) else { return }
      model.dialog = nil
      guard !text.allSatisfy(\.isWhitespace) else { return say(.info("No caption was changed")) }
      write { await self.actions.setCaption(text == "-" ? "" : text, of: images) }
    case .changeTags(let images):
      guard hasFavorites(images, askedBy: input), fits(TagEdit(text).excess, askedBy: input)
      else { return }
      model.dialog = nil
      write { await self.actions.changeTags(text, of: images) }
    case .export(let images): export(images, to: text, askedBy: input)
    case .caption, .tags, .save, .shareCard, .collection, .collect: break
    }
  }

  /// Exports pictures; on failure the place can be changed in the dialog that asked for it.
  private func export(_ images: [RemoteImage], to place: String, askedBy input: InputDialog) {
    change(input) { $0.isSaving = true }
    // The heading of an HTML page, as in `panda export`.
    let heading = carousel.isFiltered ? carousel.filterText : nil
    begin {
      do {
        let path = PicturePlace.absolute(
          place, home: BaseDirectories().home.path(percentEncoded: false),
          currentDirectory: FileManager.default.currentDirectoryPath)
        guard let path else { throw PictureFileError(reason: .noName, path: place) }
        // An export of all would lose what is not marked.
        guard !FileManager.default.fileExists(atPath: path) else {
          throw PictureFileError(reason: .exists, path: path)
        }
        let report = try await self.carousel.controller.exportImages(
          self.inOrderOfFavoriting(images), to: ExportTarget(path: path), heading: heading,
          replacing: false)
        if self.isOpen(input) { self.model.dialog = nil }
        let left = report.unreadable.isEmpty ? "" : "; \(report.unreadable.count) cannot be read"
        let more = report.withMetadata == 0 ? "" : "; the files tell place and camera, if known"
        self.say(.info("Exported \(report.count) to \(path.sanitized(upTo: 200))\(left)\(more)"))
      } catch {
        self.fail("Exporting failed", error, askedBy: input)
      }
    }
  }

  /// Returns pictures in the order of the favorites, whatever order shows them: an import adds them
  /// one after another.
  ///
  /// Those of the trash follow, the last one removed at the end.
  private func inOrderOfFavoriting(_ images: [RemoteImage]) -> [RemoteImage] {
    let ids = Set(images.map(\.id))
    let favorites = carousel.controller.images.filter { ids.contains($0.id) }
    let others = images.filter { !carousel.controller.isSaved($0) }
    return favorites + others.reversed()
  }

  /// Reports a failure in the dialog whose text led to it, or on the screen if that is closed.
  func fail(_ what: String, _ error: any Error, askedBy input: InputDialog) {
    keep(Trouble(what, error, at: clock.date))
    guard isOpen(input) else { return say(.problem("\(what): \(userMessage(for: error))")) }
    change(input) { input in
      input.isSaving = false
      input.problem = userMessage(for: error).sanitized(upTo: 300)
    }
  }
}
