import Foundation
import Pantry

// A typical first program: a Store at the top level of main.swift, where Swift prefers synchronous
// overloads. A test runs it and checks the state on disk.

struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: String
  var text = ""
}

let directory = StorageDirectory(url: URL(filePath: CommandLine.arguments[1]))
let engine = try SQLiteStorageEngine(directory: directory, namespace: "Note")
let notes = try await Store<Note>(storage: engine)
print(notes.items.count)

try await notes.add(Note(id: "a"))
try await notes.add([Note(id: "b"), Note(id: "c"), Note(id: "d"), Note(id: "e")])
try await notes.remove(Note(id: "b"))
try await notes.remove([Note(id: "c")])
try await notes.merge([Note(id: "d", text: "merged")])
try await notes.update("e") { $0.text = "updated" }
try await notes.remove(Note(id: "a")).add(Note(id: "f")).run()
try await notes.optimistically(notes.update("f") { $0.text = "shown" })

let list = try await KeyList(
  named: "list", storage: SQLiteStorageEngine(directory: directory, namespace: "List"))
print(list.ids.count)
try await list.append(["x", "y"])
print(notes.items.map { $0.id + $0.text }.joined(separator: " "))

let other = try SQLiteStorageEngine(directory: directory, namespace: "Other")
let others = try await Store<Note>(storage: other, cacheIdentifier: \.id)
try await others.add(Note(id: "gone"))
try await others.removeAll()
print(try await other.keyCount())
