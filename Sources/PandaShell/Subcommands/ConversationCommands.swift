internal import PandaCore
internal import PandaSession

/// The commands of `--plain` alone that are about no picture, or about the one described last.
enum ConversationCommands {
  static let all = [back, favorite, clear, sort, trash, problem, quit]

  private static let back = Subcommand(
    "back", in: .plain, like: .card(.back), summary: "go back to the panda before"
  ) { _ in
    .answering { conversation in
      do {
        try await conversation.controller.library.seen.itemsHaveLoaded()
      } catch {
        throw CommandFailure("Your history cannot be read", because: error)
      }
      let former = conversation.controller.library.seen(before: conversation.shown).last
      guard let former else {
        throw CommandFailure(conversation.words.sentence(for: .nothingSeenBefore), .notFound)
      }
      await conversation.describe(former.image)
    }
  }

  private static let favorite = Subcommand(
    "favorite", in: .plain, like: .favorites(.favorite),
    summary: "keep the panda that was described last as a favorite"
  ) { _ in .answering { try await $0.favorite() } }

  private static let clear = Subcommand(
    "clear", in: .plain, like: .favorites(.clear),
    summary: "move all favorites to the trash, after asking"
  ) { _ in
    .answering { conversation in
      try await conversation.session.load()
      let count = conversation.controller.images.count
      guard count > 0 else { throw conversation.session.failure(.nothingToClear) }
      conversation.ask(
        conversation.words.clearQuestion(count: count), to: "move",
        otherwise: "Nothing was removed"
      ) {
        try conversation.session.tell(await conversation.controller.clear())
      }
    }
  }

  private static let sort = Subcommand(
    "sort", in: .plain, like: .favorites(.sort),
    operands: [
      CommandLineValue("ORDER", .words { FavoritesOrder.words }, isOptional: true)
    ],
    summary: "list by \(FavoritesOrder.words.alternatives); without one, by the next of them"
  ) { arguments throws(UsageError) in
    var order: FavoritesOrder?
    if let word = arguments.words.first {
      guard let named = FavoritesOrder(rawValue: word.lowercased()) else {
        throw UsageError(
          problem: "sort takes \(FavoritesOrder.words.alternatives), not \(word.forMessage)")
      }
      order = named
    }
    return .answering { [order] conversation in
      let remembered = conversation.remembered.order
      remembered.set(order ?? remembered.wrappedValue.next)
      try await conversation.list(ListRequest())
    }
  }

  private static let trash = Subcommand(
    "trash", in: .plain, like: .favorites(.trash),
    operands: [CommandLineValue("FILTER", isOptional: true, repeats: true)], takesText: true,
    summary: "list what is in the trash"
  ) { arguments in
    .answering { try await $0.list(ListRequest(filter: arguments.text(), ofTrash: true)) }
  }

  private static let problem = Subcommand(
    "problem", in: .plain, like: .program(.problem),
    summary: "tell the cause of what went wrong last"
  ) { _ in
    .answering { conversation in
      guard let trouble = conversation.trouble else {
        return conversation.refuse(conversation.words.sentence(for: .nothingWentWrong), .done)
      }
      conversation.say("\(trouble.what), \(ClockTime(trouble.date).words)".sanitized(upTo: 500))
      conversation.say(trouble.sentence.sanitized(upTo: 500))
      try conversation.output.print("The cause: \(trouble.cause)".sanitized(upTo: 2_000))
    }
  }

  private static let quit = Subcommand(
    "quit", in: .plain, like: .program(.quit), summary: "end the program"
  ) { _ in .answering { $0.hasEnded = true } }
}

extension Conversation {
  /// Makes the picture described last a favorite.
  func favorite() async throws {
    try session.requireReadable()
    guard let image else { throw session.failure(.noPicture) }
    // A picture that was only named has not been decoded yet.
    if look == nil { look = await PictureLook.look(at: image.dataRepresentation, with: decoder) }
    let outcome = await controller.favorite(image, isDamaged: look?.isDamaged == true)
    if case .done(let change) = outcome {
      controller.library.sightings.record(image.id)
      return say("\(words.sentence(for: change)). You have \(controller.images.count)")
    }
    try session.tell(outcome)
  }
}
