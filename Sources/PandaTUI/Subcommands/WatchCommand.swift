internal import FoundationEssentials
internal import PandaCore
internal import Pantry
internal import TerminalKit

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

  /// A change as `--json` prints it; docs/Scripting.md documents the members.
  struct ChangeRecord: Encodable {
    enum Event: String, Encodable {
      case ready, added, changed, removed
    }

    let schema = PictureRecord.version
    let event: Event
    let count: Int
    /// Nil at the beginning.
    let picture: PictureRecord?
  }

  /// Prints each change of the favorites until the program is interrupted or its reader is gone.
  func run() async throws {
    let watching = Task { try await follow() }
    let reader = output.whenReaderLeaves { watching.cancel() }
    defer { withExtendedLifetime(reader) {} }
    try await watching.value
  }

  private func follow() async throws {
    let events = controller.library.favorites.events
    try await load()
    var known: Set<String> = []
    let json = JSONLines()
    for await event in events {
      switch event.operation {
      case .initialized: continue
      case .loaded:
        known = Set(event.items.map(\.id))
        try report(ChangeRecord(event: .ready, count: known.count, picture: nil), nil, json)
      case .insert:
        for image in event.items {
          let kind: ChangeRecord.Event = known.insert(image.id).inserted ? .added : .changed
          try report(
            ChangeRecord(
              event: kind, count: known.count, picture: session.record(image, isFavorite: true)),
            image, json)
        }
      case .remove:
        for image in event.items where known.remove(image.id) != nil {
          try report(
            ChangeRecord(
              event: .removed, count: known.count, picture: session.record(image, isFavorite: false)
            ), image, json)
        }
      }
      // A reader in a pipe follows at once.
      try output.flush()
    }
  }

  private func report(_ record: ChangeRecord, _ image: RemoteImage?, _ json: JSONLines) throws {
    if printsJSON {
      return try output.write(try json.line(record) + [UInt8(ascii: "\n")])
    }
    guard let image else { return try output.print("\(record.count) favorites") }
    try output.print("\(record.event.rawValue)  \(image.pictureID)  \(image.name)")
  }
}
