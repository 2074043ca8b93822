internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import PictureCodecs

/// Details of the picture, and commands that reach outside the program.
extension PlainSession {
  /// Prints all known details of the picture.
  func tellDetails() async {
    guard let image else { return refuse(.noPicture) }
    do {
      try await controller.library.seen.itemsHaveLoaded()
    } catch {
      // The other details are known nevertheless.
      trouble = Trouble("What you saw before cannot be read", error, at: now())
    }
    let isFavorite = controller.isSaved(image)
    let details = PictureDetails(
      image, source: controller.library.source(image.source), isFavorite: isFavorite,
      removedAt: isFavorite ? nil : controller.library.trashed(image.id)?.removedAt,
      seen: controller.library.seen.items.last { $0.id == image.id },
      seenCount: controller.library.seenCount ?? 0, now: now(),
      tellsPaths: !keys.isForKiosk)
    for line in details.lines { say("\(line.label): \(line.text)") }
  }

  /// Saves the picture to a file.
  func save(_ path: String) async {
    guard let image else { return refuse(.noPicture) }
    do {
      let bytes = try await image.dataRepresentation.data()
      let format = bytes.withUnsafeBytes { PictureFormat(sniffing: $0) }
      let written = try await PictureFile.save(
        bytes, to: path,
        suggestion: PicturePlace.suggestion(
          createdAt: image.createdAt, digest: image.dataRepresentation.digest, format: format))
      say("Saved as \(written)")
    } catch {
      fail("Not saved", error)
    }
  }

  /// Opens the picture's page in the browser, or else the picture.
  ///
  /// Over SSH, where that would open on another computer, its address is printed.
  func open() async {
    guard let image else { return refuse(.noPicture) }
    switch Browser.decision(for: image.page ?? image.url, environment: environment) {
    case .copy(let address): say("Over SSH there is no browser. The address is \(address)")
    case .refuse: refuse(.isNotOnTheWeb)
    case .open(let address):
      let outcome = await Browser.open(address)
      if outcome == .opened {
        say("Opened \(address)")
      } else {
        refuse("\(outcome.sentence). It is \(address)")
      }
    }
  }

  /// Prints the address alone, so that it can be used as it is.
  func printAddress() {
    guard let image else { return refuse(.noPicture) }
    say(image.url.absoluteString)
  }

  func printCredit() {
    guard let image else { return refuse(.noPicture) }
    say(CreditLine(image).text)
  }
}
