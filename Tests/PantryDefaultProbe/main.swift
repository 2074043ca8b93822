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

let runs = Settings.runs

let notes = try await Store<Note>()
let mail = try await Store<Mail.Note>()
print(notes.items.map(\.id), mail.items.map(\.id), runs)
let id = "\(runs)"
try await notes.add(Note(id: id))
try await mail.add(Mail.Note(id: "mail \(id)"))
Settings.$runs.set(runs + 1)
try await Settings.$runs.flush()
