internal import PandaCore
internal import PandaSession

enum StatsCommand {
  static let subcommand = Subcommand(
    "stats", in: .both, options: [.json],
    summary: "count the favorites, by source, by tag and by year",
    discussion: "Prints how many favorites there are and how large they are, by source, by tag "
      + "and by year."
  ) { arguments in
    .reading { session in
      try await session.loadTrash()
      let statistics = LibraryStatistics(
        session.controller.images, trash: session.controller.library.trashed, now: session.now())
      if arguments.has(.json) {
        try session.output.write(statistics.json.outputLine)
      } else {
        for line in statistics.lines { try session.output.print(line) }
      }
    }
  }
}
