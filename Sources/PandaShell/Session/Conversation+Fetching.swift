internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

extension Conversation {
  /// Describes another red panda.
  ///
  /// It is the source's, or the fallback's while the source is slow.
  ///
  /// - Returns: whether it is the source's.
  @discardableResult
  func fetch() async -> Bool {
    let isUnderWay = pending != nil
    let task = pending ?? Task { [controller] in try await controller.fetchImage() }
    pending = task
    let patience = controller.fallbackName == nil ? nil : FetchWords.patience
    let result =
      if let patience { await task.result(within: patience, on: clock) } else { await task.result }
    guard let result else {
      let name = controller.fallbackName ?? ""
      say(fetchWords.slow(controller.sourceName, fallback: name))
      watch(task)
      await describeFallback()
      return false
    }
    pending = nil
    // A request that began before this one says nothing of now.
    if isUnderWay, case .failure = result { return await fetch() }
    switch result {
    case .success(let image):
      await describeNew(image)
      return true
    case .failure(let error):
      let (sentence, status) = note(error)
      guard controller.fallbackName != nil else {
        refuse(fetchWords.failed(sentence), status)
        return false
      }
      refuse(fetchWords.drawnInstead(sentence), status)
      await describeFallback()
      return false
    }
  }

  /// Notes how the request ends during which a fallback was described.
  private func watch(_ task: Task<RemoteImage, any Error>) {
    Task {
      guard case .failure(let error) = await task.result, pending == task,
        !(error is CancellationError)
      else { return }
      lateFailure = error
    }
  }

  /// Says that the request failed during which a fallback was described, unless that was said.
  func tellLateFailure() {
    guard let error = lateFailure else { return }
    lateFailure = nil
    pending = nil
    let (sentence, status) = note(error)
    refuse(fetchWords.failed(sentence), status)
  }

  /// Keeps the cause of a failed request for the user to look up; returns its words and its status.
  private func note(_ error: any Error) -> (sentence: String, status: ExitStatus) {
    trouble = Trouble("Fetching from \(controller.sourceName) failed", error, at: now())
    // Data that is not a picture counts as a network failure too.
    return (userMessage(for: error), ExitStatus(for: error).worse(.network))
  }

  private var fetchWords: FetchWords { FetchWords(names: PlainNames()) }

  // MARK: Describing

  /// Describes an earlier picture: what it shows, whether it is a favorite.
  func describe(_ image: RemoteImage, lead: String? = nil) async {
    await describe(image, lead: lead, ending: seenWords(controller.library.lastSeen(image)))
  }

  /// Describes a new picture, and records that it was shown.
  private func describeNew(_ image: RemoteImage) async {
    let former = controller.library.lastSeen(image)
    await describe(image, lead: nil, ending: seenWords(former))
    do {
      try await controller.library.noteSeen(image)
    } catch {
      // The picture has been described nevertheless; `back` will not find it.
      trouble = Trouble(StorageWords.notRemembered, error, at: now())
    }
  }

  private func describeFallback() async {
    do {
      guard let image = try await controller.fetchFallback() else { return }
      await describeNew(image)
    } catch {
      fail("No panda can be drawn", error, then: "fetch tries again")
    }
  }

  private func describe(_ image: RemoteImage, lead: String?, ending: String?) async {
    shown = image
    look = nil
    if controller.isSaved(image) { controller.library.sightings.record(image.id) }
    guard !isQuiet else { return tell((controller.saved(image) ?? image).spokenEntry(now())) }
    let look = await PictureLook.look(at: image.dataRepresentation, with: decoder)
    self.look = look
    if let cause = look.cause {
      log.error(.pictures, "\(image.url.absoluteString) cannot be decoded: \(cause)")
    } else if look.isIncomplete {
      log.notice(.pictures, "\(image.url.absoluteString) is incomplete")
    }
    let saved = controller.saved(image)
    let sentences = [
      lead, AltText(saved ?? image, colors: look.colors).description,
      saved == nil ? nil : "It is a favorite.", ending,
      look.isIncomplete ? "The picture is damaged; this is what is left of it." : nil,
      look.isThumbnail ? "The picture is too large to decode; this is its thumbnail." : nil,
      look.problem.map { "The picture cannot be decoded: \($0)." },
    ]
    tell(sentences.compactMap(\.self).joined(separator: " "))
  }

  private func tell(_ line: String) {
    // If the reader is gone, reading the next line finds out.
    try? output.print(line)
    try? output.flush()  // the same
  }

  private func seenWords(_ moment: Date?) -> String? {
    moment.map { "You saw it on \(ClockTime.withDay($0))." }
  }
}

extension RemoteImage {
  /// The entry in a list of a conversation.
  ///
  /// Such as "Sleepy, from redpanda.club, 3 Oct 2026. Tags: snow, cute."
  func spokenEntry(_ now: Date) -> String {
    let day = keptAt(asOf: now).map { PictureDay($0).words } ?? "on an unknown day"
    let line = "\(name), from \(source), \(day)."
    return (tags.isEmpty ? line : "\(line) Tags: \(tags.joined(separator: ", ")).")
      .sanitized(upTo: 1_500)
  }
}
