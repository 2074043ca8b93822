internal import FoundationEssentials
internal import PandaCore
package import PandaSession
internal import Pantry

/// What commands of the shell do with a session.
extension Session {
  /// What the lines of `--plain` are about; nil elsewhere.
  var conversation: Conversation? { lines as? Conversation }
  /// The names of commands in its sentences.
  var names: any ActionNames { lines == nil ? SubcommandNames() : PlainNames() }
  var words: ActionWords { ActionWords(names: names) }

  /// Performs a command as the only one of a process.
  ///
  /// - Returns: the worst exit status.
  package func run(_ body: Run.Body) async -> ExitStatus {
    var watching: Task<Void, Never>?
    onOpening = { [unowned self] library in
      library.loadOnAllCores()
      if let missing = StorageWords.missing(library.exposure) {
        output.fail(CommandFailure(missing, .done))
      }
      watching = Task { await tellCutOff(library) }
    }
    await attempt { try await body(self) }
    watching?.cancel()
    Shortage.hasAnswered(output.status)
    await openedLibrary?.close()
    await close()
    return output.status
  }

  /// Says that the server of a shared library is gone, while a command waits for its return.
  ///
  /// One that ends with that says so itself.
  private func tellCutOff(
    _ library: ImageLibrary, clock: some Clock<Duration> = ContinuousClock()
  ) async {
    guard library.isShared else { return }
    let favorites = library.favorites
    for await connection in Watch({ favorites.connection }) {
      guard case .cutOff(let reason) = connection else { continue }
      do { try await clock.sleep(for: .seconds(1)) } catch { return }
      guard favorites.connection == connection else { continue }
      return output.say("panda: \(StorageWords.retrying(reason)). Ctrl-C gives up")
    }
  }

  /// Does something, and says why it failed; returns whether it did not.
  @discardableResult
  func attempt(_ body: () async throws -> Void) async -> Bool {
    do {
      try await body()
      try output.flush()
      return true
    } catch is Output.Closed {
      // The reader has seen enough.
      return false
    } catch {
      // Earlier output belongs to this command.
      try? output.flush()  // the next line finds that the reader is gone
      output.fail(CommandFailure(nil, because: error))
      return false
    }
  }

  /// Refuses to print the bytes of a picture among the lines of `--plain`.
  func requirePipe() throws {
    guard lines != nil else { return }
    throw CommandFailure(
      "A session prints lines only; the shell prints the bytes of a picture", .usage)
  }

  /// Refuses what would change favorites that are only in the memory of this process.
  ///
  /// Those of a conversation are kept as long as it lasts.
  func requireChangeable() throws {
    guard lines == nil else { return try requireReadable() }
    if let reason = library.reasonNotSaved {
      throw CommandFailure(
        library.reasonNotReadable == nil
          ? "Nothing was changed" : StorageWords.unreadable,
        because: reason)
    }
  }

  // MARK: Outcomes

  /// Returns what `--json` prints of a picture that is not in the trash.
  func record(_ image: RemoteImage, isFavorite: Bool = true) -> JSONValue {
    PictureRecord.json(image, isFavorite: isFavorite, named: configuration.namedSources)
  }

  func failure(_ refusal: Refusal) -> CommandFailure {
    CommandFailure(words.sentence(for: refusal), .failed)
  }

  /// Reports an outcome.
  ///
  /// - Parameter name: the name of the picture that it is about.
  func tell(_ outcome: ActionOutcome, of name: String? = nil) throws {
    let subject = name.map { "\($0.sanitized(upTo: 60)): " } ?? ""
    switch outcome {
    case .done(let change): output.say(subject + words.sentence(for: change))
    case .refused(let refusal):
      let sentence = subject + words.sentence(for: refusal)
      switch refusal {
      // The user already has the desired result.
      case .isFavorite, .wasRemoved, .hasThisCaption, .hasTheseTags, .hasNoCaption, .hasNoTags:
        output.say(sentence)
      case .nothingToUndo, .nothingToRedo, .nothingToClear, .hasLeftTrash:
        throw CommandFailure(sentence, .notFound)
      default: throw CommandFailure(sentence, .failed)
      }
    case .failed(let action, let error):
      throw CommandFailure(
        subject + words.sentence(forFailureOf: action, error), ExitStatus(for: error), cause: error)
    }
  }

  /// Reports an outcome; a single picture is named.
  func tell(_ outcome: ActionOutcome, of images: [RemoteImage]) throws {
    try tell(outcome, of: images.count == 1 ? images[0].name : nil)
  }

  func pandas(_ count: Int) -> String { count == 1 ? "1 panda" : "\(count) pandas" }
}
