internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs
internal import TerminalKit

/// Commands that reach outside the program: browser, clipboard, files.
extension PandaApp {
  // MARK: The browser

  /// Opens the picture's page in the browser, or else the picture.
  ///
  /// Over SSH, where the browser would open on another computer, the address is copied instead.
  func open() {
    guard let image = target else { return }
    switch Browser.decision(for: image.page ?? image.url, environment: terminal.profile.environment)
    {
    case .copy(let address):
      copy(address.description, done: "Over SSH there is no browser: the address is copied instead")
    case .refuse(let sentence): say(.info(sentence))
    case .open(let address):
      say(.info("Opening \(address)"))
      Task {
        let outcome = await Browser.open(address)
        guard outcome != .opened else { return }
        say(.problem("\(outcome.sentence) (\(keys.label(of: .copyAddress))): \(address)"))
      }
    }
  }

  // MARK: The clipboard

  /// Copies the picture's address.
  func copyAddress() {
    guard let image = target else { return }
    copy(image.url.absoluteString, done: "Copied \(image.url.absoluteString)")
  }

  /// Copies a line that credits the author of the picture.
  func copyCredit() {
    guard let image = target else { return }
    let line = CreditLine(image).text
    copy(line, done: "Copied \(line)")
  }

  private func copy(_ text: String, done: String) {
    switch Clipboard.action(copying: text, in: terminal.profile.environment) {
    case .write(let bytes): send(bytes, done: done)
    case .refuse(let sentence): say(.problem(sentence))
    case .run(let command, let input, let otherwise):
      Task {
        if await Clipboard.run(command, input: input) {
          say(.info(done))
        } else {
          send(otherwise, done: done)
        }
      }
    }
  }

  private func send(_ bytes: [UInt8], done: String) {
    do {
      try display.send(bytes)
      say(.info(done))
    } catch {
      lose(error)
    }
  }

  // MARK: Files

  /// Asks for the file name under which to save the picture.
  ///
  /// The name has no extension yet: that depends on the picture's bytes, and the keys that are
  /// typed next must not wait for them.
  func askForFile(_ image: RemoteImage) {
    let name = PicturePlace.suggestion(
      createdAt: image.createdAt, digest: image.dataRepresentation.digest, format: nil)
    model.dialog = .input(
      InputDialog(
        .save(image), title: "Save the picture",
        note: "A file that is not there yet, or a directory. ~ is your home",
        field: TextField(name, limit: 4_000)))
  }

  /// Saves a picture.
  ///
  /// On failure the name can be changed in the dialog that asked for it.
  func save(_ image: RemoteImage, as path: String, askedBy input: InputDialog) {
    change(input) { $0.isSaving = true }
    begin {
      do {
        let bytes = try await image.dataRepresentation.data()
        let format = bytes.withUnsafeBytes { PictureFormat(sniffing: $0) }
        let written = try await PictureFile.save(
          bytes, to: path,
          suggestion: PicturePlace.suggestion(
            createdAt: image.createdAt, digest: image.dataRepresentation.digest, format: format))
        if self.isOpen(input) { self.model.dialog = nil }
        self.say(.info("Saved as \(written)"))
      } catch {
        self.fail("Saving the picture failed", error, askedBy: input)
      }
    }
  }

  /// Asks for the file name of a share card.
  func askForCardFile() {
    guard let image = target else { return }
    model.dialog = .input(
      InputDialog(
        .shareCard(image), title: "Save a card to share",
        note: "A PNG file that is not there yet, or a directory. ~ is your home",
        field: TextField(CardFile.suggestion(for: image), limit: 4_000)))
  }

  /// Draws and saves a share card.
  ///
  /// On failure the name can be changed in the dialog that asked for it.
  func saveCard(of image: RemoteImage, as path: String, askedBy input: InputDialog) {
    change(input) { $0.isSaving = true }
    begin {
      do {
        let (written, content) = try await CardFile.save(image, to: path)
        if self.isOpen(input) { self.model.dialog = nil }
        let more = content.lacksGlyphs ? ". \(CardFile.missingFonts)" : ""
        self.say(.info("Saved as \(written)\(more)"))
      } catch {
        self.fail("Saving the card failed", error, askedBy: input)
      }
      // The library that finds fonts writes its warnings to the terminal.
      self.invalidate()
    }
  }

  /// Returns whether a dialog is still open and was not replaced by another.
  func isOpen(_ input: InputDialog) -> Bool {
    if case .input(let open) = model.dialog { open.id == input.id } else { false }
  }

  /// Changes a dialog if it is still open.
  func change(_ input: InputDialog, _ change: (inout InputDialog) -> Void) {
    guard case .input(var open) = model.dialog, open.id == input.id else { return }
    change(&open)
    model.dialog = .input(open)
  }
}
