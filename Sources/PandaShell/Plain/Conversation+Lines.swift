internal import FoundationEssentials
internal import PandaCore
internal import PandaSession

extension Conversation {
  var parser: PlainLineParser { PlainLineParser(keys: session.configuration.keyTable) }

  /// Recovers the file if the last problem was that it is damaged.
  private func recoverIfDamaged() async {
    guard let damage = trouble, damage.isDamage,
      damage.what != StorageWords.notRecovered
    else { return }
    await attempt { try await session.recover(after: damage) }
    // The file is whole: another program has recovered it.
    if trouble?.isDamage == true, trouble?.what == damage.what {
      trouble = nil
    }
  }

  func handle(_ line: LineSplitter.Line) async {
    guard case .text(let text) = line else {
      question = nil
      return refuse(
        "That line is longer than \(LineSplitter.byteLimit / 1024) KB, so it was left out",
        .usage)
    }
    if let question {
      self.question = nil
      if await answer(text, to: question) { return }
    }
    await attempt {
      do {
        if let arguments = try parser.arguments(of: text) { try await perform(arguments) }
      } catch let error as UsageError {
        throw CommandFailure(
          error.problem.prefix(1).uppercased() + error.problem.dropFirst(), .usage)
      }
    }
    await recoverIfDamaged()
  }

  /// Handles the end of the input like `quit`.
  func end() {
    if let refusal = question?.refusal { say(refusal) }
    question = nil
    hasEnded = true
  }

  private func perform(_ arguments: [String]) async throws {
    let invocation = try Invocation(arguments: arguments, table: .plain)
    // Fetching tells it itself.
    if arguments[0] != FetchCommand.subcommand.name { tellLateFailure() }
    switch invocation {
    case .run(_, .session(_, let body)): try await body(session)
    case .help(let command):
      try PlainHelp(parser: parser).print(about: command?.name, to: output)
    // The table of a line has no others.
    case .run, .version, .licenses: break
    }
  }

  /// Takes a line as the answer, and returns whether it was only that.
  private func answer(_ text: String, to question: Question) async -> Bool {
    let line = text.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if question.yes.contains(line) {
      await attempt(question.perform)
      return true
    }
    if let refusal = question.refusal { say(refusal) }
    return question.no.contains(line)
  }
}
