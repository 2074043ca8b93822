internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// The commands for one picture outside of the favorites: details, browser, clipboard, files.
@MainActor
struct PictureCommands {
  let context: CommandContext

  private var keys: KeyTable { context.keys }
  private var noAddress: String { context.words.sentence(for: .isNotOnTheWeb) }
  private var named: [URL] { context.configuration.namedSources }
  private var environment: TerminalEnvironment { context.session.environment }

  func reason(against command: Command.Picture) -> String? {
    guard let image = context.target else { return context.reasonWithoutPicture }
    switch command {
    case .details, .copyAddress, .save, .shareCard: return nil
    case .open:
      return WebAddress(image.page ?? image.url, named: named) == nil ? noAddress : nil
    }
  }

  func perform(_ command: Command.Picture) {
    guard let image = context.target else { return }
    switch command {
    case .details:
      context.model.dialog = .text(
        TextDialog(title: "Details", lines: context.details(of: image), subject: image))
    case .open: open(image)
    case .copyAddress: copy(CreditLine(image, named: named).text)
    case .save:
      let marked = context.marked
      if marked.isEmpty { askForFile(image) } else { askForExport(marked) }
    case .shareCard: askForCardFile(image)
    }
  }

  // MARK: The browser and the clipboard

  /// Opens the picture's page in the browser, or else the picture.
  ///
  /// Over SSH, where the browser would open on another computer, the address is copied instead.
  private func open(_ image: RemoteImage) {
    switch Browser.decision(
      for: image.page ?? image.url, named: named, environment: environment)
    {
    case .copy(let address):
      copy(address.description, done: "No browser over SSH: copied the address instead")
    case .refuse: context.say(.info(noAddress))
    case .open(let address):
      context.say(.info("Opening \(address)"))
      Task {
        let outcome = await Browser.open(address)
        guard outcome != .opened else { return }
        let copies = keys.label(of: .picture(.copyAddress))
        context.say(.problem("\(outcome.sentence) (\(copies)): \(address)"))
      }
    }
  }

  private func copy(_ text: String, done: String? = nil) {
    let done = done ?? "Copied \(text)"
    switch Clipboard.action(copying: text, in: environment) {
    case .write(let bytes): send(bytes, done: done)
    case .refuse(let sentence): context.say(.problem(sentence))
    case .run(let command, let input, let otherwise):
      Task {
        if await Clipboard.run(command, input: input) {
          context.say(.info(done))
        } else {
          send(otherwise, done: done)
        }
      }
    }
  }

  private func send(_ bytes: [UInt8], done: String) {
    context.display.send(bytes)
    context.say(.info(done))
  }

  // MARK: Files

  private func askForPath(
    _ title: String, note: String, suggestion: String,
    _ save: @escaping @MainActor (String, InputDialog) -> Void
  ) {
    context.model.dialog = .input(
      InputDialog(
        title: title, note: note, field: TextField(suggestion, limit: 4_000), answer: save))
  }

  /// Asks for the file name under which to save the picture.
  ///
  /// The name has no extension yet: that depends on the picture's bytes, and the keys that are
  /// typed next must not wait for them.
  private func askForFile(_ image: RemoteImage) {
    @Sendable func suggestion(_ format: PictureFormat?) -> String {
      SaveDestination.suggestion(for: image, format: format)
    }
    askForPath(
      "Save the picture", note: "A new file, or a directory. ~ is your home",
      suggestion: suggestion(nil)
    ) { path, input in
      context.save(input, failing: "Saving the picture failed") {
        let bytes = try await image.dataRepresentation.data()
        let format = bytes.withUnsafeBytes { PictureFormat(sniffing: $0) }
        return
          "Saved as \(try await PictureFile.save(bytes, to: path, suggestion: suggestion(format)))"
      }
    }
  }

  /// Asks for the file name of a share card.
  private func askForCardFile(_ image: RemoteImage) {
    askForPath(
      "Save a card to share",
      note: "A new PNG file, or a directory. ~ is your home",
      suggestion: CardFile.suggestion(for: image)
    ) { path, input in
      context.save(input, failing: "Saving the card failed") {
        // The library that finds fonts writes its warnings to the terminal.
        defer { context.invalidate() }
        let (written, content) = try await CardFile.save(image, to: path)
        return "Saved as \(written)\(content.lacksGlyphs ? ". \(CardFile.missingFonts)" : "")"
      }
    }
  }

  /// Asks for the place to which marked pictures are exported.
  private func askForExport(_ images: [RemoteImage]) {
    askForPath(
      "Export \(images.count == 1 ? "1 panda" : "\(images.count) pandas")",
      note: "A directory, or a file that ends in .html",
      suggestion: "pandas-\(PictureDay(context.clock.date).numbers)"
    ) { place, input in
      let favorites = context.favorites!
      // The heading of an HTML page, as in `panda export`.
      let heading = favorites.isFiltered ? favorites.filterText : nil
      context.save(input, failing: "Exporting failed") {
        let path = SaveDestination.absolute(
          place, home: BaseDirectories().home.path(percentEncoded: false),
          currentDirectory: FileManager.default.currentDirectoryPath)
        guard let path else { throw PictureFileError(reason: .noName, path: place) }
        let target = try ExportTarget(path: place == "-" ? place : path)
        // An export of all would lose what is not marked.
        guard !FileManager.default.fileExists(atPath: path) else {
          throw PictureFileError(reason: .exists, path: path)
        }
        let report = try await favorites.controller.library.export(
          inOrderOfFavoriting(images), to: target, heading: heading, replacing: false,
          linkingTo: named)
        let left = report.unreadable.isEmpty ? "" : "; \(report.unreadable.count) cannot be read"
        let again =
          report.encodedAgain.isEmpty ? "" : "; \(report.encodedAgain.count) encoded again"
        let more = report.withMetadata == 0 ? "" : "; the files tell place and camera, if known"
        return "Exported \(report.count) to \(path.sanitized(upTo: 200))\(left)\(again)\(more)"
      }
    }
  }

  /// Returns pictures in the order of the favorites, regardless of the displayed order.
  ///
  /// An import adds them one after another.
  ///
  /// Those of the trash follow, the last one removed at the end.
  private func inOrderOfFavoriting(_ images: [RemoteImage]) -> [RemoteImage] {
    let controller = context.favorites.controller
    let ids = Set(images.map(\.id))
    let favorites = controller.images.filter { ids.contains($0.id) }
    let others = images.filter { !controller.isSaved($0) }
    return favorites + others.reversed()
  }
}

extension CommandContext {
  /// Returns the lines of all that is known of a picture; observed.
  func details(of image: RemoteImage) -> [TextDialog.Line] {
    let controller = card.controller
    let isFavorite = controller.isSaved(image)
    return PictureDetails(
      image, source: controller.library.sources[image.source], isFavorite: isFavorite,
      removedAt: isFavorite ? nil : controller.library.trashed(image.id)?.removedAt,
      seen: controller.library.seen.items.last { $0.id == image.id },
      sighting: controller.library.sightings[image.id], now: clock.date
    ).lines.map { label, text in
      TextDialog.Line(
        label: label, text: text, isOneLine: label == PictureDetails.digestLabel)
    }
  }
}
