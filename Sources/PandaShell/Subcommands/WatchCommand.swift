internal import FoundationEssentials
internal import PandaCore
internal import PandaSession
internal import Pantry

@MainActor
struct WatchCommand: SessionCommand {
  nonisolated static let subcommand = Subcommand(
    "watch", options: [.json],
    summary: "print what changes in the favorites, as it happens",
    discussion: "Prints a line when a favorite is added, changed or removed, by any Panda, "
      + "until it is interrupted."
  ) { arguments in
    .session(.favorites) { session in
      Shortage.endSoon()
      try session.requireReadable()
      try await WatchCommand(session: session, printsJSON: arguments.has(.json)).run()
    }
  }

  let session: Session
  let printsJSON: Bool

  private enum Event: String {
    case ready, added, changed, removed
  }

  /// Prints each change of the favorites until the program is interrupted or its reader is gone.
  func run() async throws {
    let watching = Task { try await follow() }
    let reader = ReaderMonitor(output.data) { watching.cancel() }
    defer { withExtendedLifetime(reader) {} }
    try await watching.value
  }

  private func follow() async throws {
    let events = controller.library.favorites.events
    try await load()
    var known: Set<String> = []
    for await event in events {
      switch event.operation {
      case .initialized: continue
      case .loaded:
        known = Set(event.items.map(\.id))
        try report(.ready, known.count)
      case .insert:
        for image in event.items {
          let kind: Event = known.insert(image.id).inserted ? .added : .changed
          try report(kind, known.count, image)
        }
      case .remove:
        for image in event.items where known.remove(image.id) != nil {
          try report(.removed, known.count, image)
        }
      }
      // A reader in a pipe follows at once.
      try output.flush()
    }
  }

  /// Prints a change; docs/Scripting.md documents the members of its JSON.
  private func report(_ event: Event, _ count: Int, _ image: RemoteImage? = nil) throws {
    if printsJSON {
      let record = JSONValue(members: [
        "schema": JSONValue(number: PictureRecord.version),
        "event": JSONValue(text: event.rawValue), "count": JSONValue(number: count),
        "picture": image.map { session.record($0, isFavorite: event != .removed) },
      ])
      return try output.write(record.outputLine)
    }
    guard let image else { return try output.print("\(count) favorites") }
    try output.print("\(event.rawValue)  \(image.pictureID)  \(image.name)")
  }
}
