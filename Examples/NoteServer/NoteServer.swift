internal import Foundation
internal import Pantry

struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text: String
}

/// Keeps notes in a directory, and serves them on loopback.
///
/// It knows `GET /notes`, `PUT /notes/ID` with a text, and `DELETE /notes/ID`.
@main enum NoteServer {
  @MainActor static func main() async {
    guard CommandLine.arguments.count == 2 else { fail("usage: note-server DIRECTORY", 64) }
    do {
      let directory = StorageDirectory(url: URL(filePath: CommandLine.arguments[1]))
      let engine = try SQLiteStorageEngine(directory: directory, namespace: "notes")
      let store = try await Store<Note>(storage: engine)
      for issue in store.loadIssues { log("a note cannot be read, and stays: \(issue)") }
      let listener = try Listener()
      // It blocks a thread of its own, never the main actor, which the store needs.
      Thread.detachNewThread { listener.run { request in await answer(request, in: store) } }
      print("http://127.0.0.1:\(listener.port)/notes")
      fflush(nil)
      await terminationSignal()
      // Each answered change is on disk already; this leaves one whole file.
      try await store.close()
    } catch {
      fail("\(error)", 1)
    }
  }

  /// Changes the store, or reads it; returns when the change is on disk.
  private static func answer(_ request: Request, in store: Store<Note>) async -> Answer {
    let path = request.path.split(separator: "/").map(String.init)
    guard path.first == "notes", path.count <= 2 else { return Answer(404) }
    do {
      switch (request.method, path.dropFirst().first) {
      case ("GET", nil): return Answer(200, try JSONEncoder().encode(await store.items))
      case ("PUT", let id?):
        guard let text = request.text else { return Answer(400) }
        try await store.add(Note(id: id, text: text))
      case ("DELETE", let id?):
        guard let note = await store[id] else { return Answer(404) }
        try await store.remove(note)
      default: return Answer(405)
      }
      return Answer(204)
    } catch {
      // The client learns that it failed, the log learns why.
      log("\(request.method) \(request.path): \(error)")
      return Answer(500)
    }
  }

  private static func fail(_ reason: String, _ status: Int32) -> Never {
    log(reason)
    exit(status)
  }

  private static func log(_ text: String) {
    // If this fails, there is no reader.
    try? FileHandle.standardError.write(contentsOf: Data("note-server: \(text)\n".utf8))
  }
}
