internal import Foundation
internal import Pantry

struct Note: Codable, Equatable, Identifiable, Sendable {
  var id = UUID()
  var text: String
}

/// Keeps lines of text in the program's default file.
@main enum Notes {
  @MainActor static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      let store = try await Store<Note>(named: "notes")
      for issue in store.loadIssues { warn("a note cannot be read, and stays on disk: \(issue)") }
      switch (words.first, words.count) {
      case (nil, _):
        for (index, note) in store.items.enumerated() { print(index + 1, note.text) }
      case ("add", 2): try await store.add(Note(text: words[1]))
      case ("remove", 2):
        guard let index = store.items.indices.first(where: { "\($0 + 1)" == words[1] })
        else { fail("there is no note \(words[1])", 1) }
        try await store.remove(store.items[index])
      default: fail("usage: notes [add TEXT | remove NUMBER]", 64)
      }
    } catch {
      fail("\(error)", 1)  // in words: a full disk, a damaged file
    }
  }

  private static func fail(_ reason: String, _ status: Int32) -> Never {
    warn(reason)
    exit(status)
  }

  private static func warn(_ text: String) {
    // If this fails, there is no reader.
    try? FileHandle.standardError.write(contentsOf: Data("notes: \(text)\n".utf8))
  }
}
