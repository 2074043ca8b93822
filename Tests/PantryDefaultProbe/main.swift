import Foundation
import Pantry

// Stores and values that are given no place. A test runs this under several names and looks at what
// comes back.

struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
}

enum Mail {
  struct Note: Codable, Equatable, Identifiable, Sendable {
    var id: String
  }
}

@MainActor enum Settings {
  @StoredValue(key: "runs") static var runs = 0
}

switch CommandLine.arguments.dropFirst().first {
case "default": await show { try await Store<Note>() }
case "library": await show { try await Store<Note>(fileID: "Library/Notes.swift") }
case "named":
  let (first, second) = (try await Store<Note>(named: "1"), try await Store<Note>(named: "2"))
  print(first.items.map(\.id), second.items.map(\.id))
  try await first.add(Note(id: "1"))
  try await second.add(Note(id: "2"))
  exit(0)
default: break
}

@MainActor func show(_ open: () async throws -> Store<Note>) async -> Never {
  do {
    print(try await open().items.count)
  } catch {
    print(error)
  }
  exit(0)
}

let runs = Settings.runs

let notes = try await Store<Note>()
let mail = try await Store<Mail.Note>()
print(notes.items.map(\.id), mail.items.map(\.id), runs)
let id = "\(runs)"
try await notes.add(Note(id: id))
try await mail.add(Mail.Note(id: "mail \(id)"))
Settings.$runs.set(runs + 1)
try await Settings.$runs.flush()
