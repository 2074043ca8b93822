import Foundation
import PandaTestSupport
import Testing

@testable import Pantry

/// Types of one name in two modules, as far as one module can have them.
private enum Work {
  struct Item: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var title = ""
  }
}

enum Home {
  struct Item: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var title = ""
  }
}

enum Garden {
  struct Item: Codable, Equatable, Identifiable, Sendable {
    var id: String
    var title = ""
  }
}

/// The type of a namespace, its name, and the location of its file.
@MainActor
@Suite struct NamespaceTests {
  let directory = TemporaryDirectory()

  /// The engine of a store that is given none, in a directory of the test's own.
  func engine<Item>(for type: Item.Type, formerNames: [String] = []) -> SQLiteStorageEngine {
    .deferred(
      directory.storage, "pantry.sqlite",
      naming: SQLiteNamespace(for: type, formerNames: formerNames))
  }

  var namespaces: [String] {
    get throws {
      let database = try directory.database()
      let select = try database.statement(
        "SELECT name FROM namespace WHERE EXISTS (SELECT 1 FROM item WHERE namespace = namespace.id)"
      )
      defer { select.reset() }
      var names: [String] = []
      while try select.step() { names.append(select.text(0)) }
      return names
    }
  }

  // MARK: Types of one name

  @Test func `two types with the same bare name have separate namespaces`() async throws {
    let home = try await Store<Home.Item>(storage: engine(for: Home.Item.self))
    let garden = try await Store<Garden.Item>(storage: engine(for: Garden.Item.self))
    try await home.add(Home.Item(id: "a", title: "broom"))
    try await garden.add(Garden.Item(id: "a", title: "rake"))
    #expect(home.items.map(\.title) == ["broom"])
    #expect(garden.items.map(\.title) == ["rake"])
    let again = try await Store<Home.Item>(storage: engine(for: Home.Item.self))
    #expect(again.items.map(\.title) == ["broom"])
    #expect(try Set(namespaces) == ["PantryTests.Home.Item", "PantryTests.Garden.Item"])
  }

  @Test func `a type of the target below keeps the name that is recorded`() {
    #expect(TypeName([ContentDigest].self).full == "Swift.Array<Pantry.ContentDigest>")
  }

  @Test func `a local type and a private one need an explicit namespace`() async throws {
    struct Local: Codable, Equatable, Identifiable, Sendable { var id: String }
    for error in await [
      loadError(of: Local.self, \.id), loadError(of: Work.Item.self, \.id),
    ] {
      guard case .namespaceNeeded = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
    let store = try await Store<Local>(storage: directory.engine("Local"))
    try await store.add(Local(id: "a"))
    #expect(store.items.count == 1)
  }

  func loadError<Item: StorableItem>(
    of type: Item.Type, _ path: any KeyPath<Item, String> & Sendable
  ) async -> StorageError? {
    let store = Store<Item>.loadingInBackground(
      storage: engine(for: type), cacheIdentifier: path)
    await #expect(throws: StorageError.self) { try await store.itemsHaveLoaded() }
    return store.loadError as? StorageError
  }

  @Test
  func `two types on one namespace in one process are an error until the first is deallocated`()
    async throws
  {
    for kind in EngineKind.allCases {
      let storage = TestStorage(kind)
      let engine = try storage.open()
      var home: Store<Home.Item>? = try await Store<Home.Item>(storage: engine)
      try await home?.add(Home.Item(id: "a"))
      let other = kind == .memory ? engine : try storage.open()
      let garden = Store<Garden.Item>.loadingInBackground(storage: other)
      await #expect(throws: StorageError.self) { try await garden.itemsHaveLoaded() }
      await #expect(throws: StorageError.self) { try await garden.add(Garden.Item(id: "b")) }
      await #expect(throws: StorageError.self) { try await garden.removeAll() }
      guard case .namespaceTaken(_, let by, let wanted) = garden.loadError as? StorageError else {
        Issue.record("\(kind): \(String(describing: garden.loadError))")
        return
      }
      #expect(by == "PantryTests.Home.Item")
      #expect(wanted == "PantryTests.Garden.Item")
      #expect(home?.items.map(\.id) == ["a"])
      home = nil
      try await eventually("the first store is released") {
        let store = Store<Garden.Item>.loadingInBackground(
          storage: other, formerNames: ["PantryTests.Home.Item"])
        do {
          try await store.itemsHaveLoaded()
        } catch {
          return false
        }
        return store.items.map(\.id) == ["a"]
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a second store with another cacheIdentifier is an error`(_ kind: EngineKind) async throws {
    let storage = TestStorage(kind)
    let engine = try storage.open()
    let byID = try await Store<Home.Item>(storage: engine, cacheIdentifier: \.id)
    await #expect(throws: StorageError.self) {
      try await Store<Home.Item>(storage: engine, cacheIdentifier: \.title)
    }
    // What comes to the same is no error, however it is written.
    let same = try await Store<Home.Item>(storage: engine, cacheIdentifier: \.id)
    let identifiable = try await Store<Home.Item>(storage: engine)
    try await byID.add(Home.Item(id: "a", title: "broom"))
    #expect(same.items == byID.items)
    #expect(identifiable.items == byID.items)
    _ = try await Store<Home.Item>(storage: engine)
  }

  @Test func `rows that another type wrote under the default name are an error that names both`()
    async throws
  {
    let name = "PantryTests.Garden.Item"
    do {
      let home = try await Store<Home.Item>(storage: directory.engine(name))
      try await home.add(Home.Item(id: "a", title: "broom"))
    }
    let expected = StorageError.otherType(
      namespace: name, wrote: "PantryTests.Home.Item", asks: name)
    await #expect(throws: expected) {
      _ = try await nextLaunch {
        try await Store<Garden.Item>(storage: engine(for: Garden.Item.self))
      }
    }
    let refused = Store<Garden.Item>.loadingInBackground(storage: engine(for: Garden.Item.self))
    await #expect(throws: expected) { try await refused.itemsHaveLoaded() }
    #expect(refused.loadError as? StorageError == expected)
    #expect("\(expected)".contains("formerNames"))
    await #expect(throws: expected) { try await refused.removeAll() }
    #expect(try directory.database().integer("SELECT count(*) FROM item") == 1)
    // The cure that it names.
    let cured = try await nextLaunch {
      try await Store<Garden.Item>(
        storage: engine(for: Garden.Item.self), formerNames: ["PantryTests.Home.Item"])
    }
    #expect(cured.items.map(\.title) == ["broom"])
  }

  @Test func `under an explicit name, too, a renamed type gives its former name`() async throws {
    do {
      let home = try await Store<Home.Item>(storage: directory.engine("items"))
      try await home.add(Home.Item(id: "a", title: "broom"))
    }
    let garden = try await nextLaunch {
      try await Store<Garden.Item>(
        storage: directory.engine("items"), formerNames: ["PantryTests.Home.Item"])
    }
    #expect(garden.items.map(\.title) == ["broom"])
  }

  // MARK: Former names

  @Test func `rows under a former name are adopted, even by stores that have it open`()
    async throws
  {
    let home = try await Store<Home.Item>(storage: engine(for: Home.Item.self))
    try await home.add([Home.Item(id: "a"), Home.Item(id: "b")])
    // The second process runs the next version.
    let garden = try await Store<Garden.Item>(
      storage: engine(for: Garden.Item.self, formerNames: ["App.None", "PantryTests.Home.Item"]))
    #expect(garden.items.map(\.id) == ["a", "b"])
    #expect(try namespaces == ["PantryTests.Garden.Item"])
    try await home.add(Home.Item(id: "c"))
    try await eventually("the next version follows") { garden.items.map(\.id) == ["a", "b", "c"] }
  }

  @Test func `a name used before its former name was given adopts the rows anyway`()
    async throws
  {
    do {
      let home = try await Store<Home.Item>(storage: engine(for: Home.Item.self))
      try await home.add([Home.Item(id: "b"), Home.Item(id: "a")])
    }
    // The former name was forgotten, and the store is empty.
    let forgetful = try await Store<Garden.Item>(storage: engine(for: Garden.Item.self))
    #expect(forgetful.items.isEmpty)
    let garden = try await Store<Garden.Item>(
      storage: engine(for: Garden.Item.self, formerNames: ["PantryTests.Home.Item"]))
    #expect(garden.items.map(\.id) == ["b", "a"])
    try await eventually("the first follows") { forgetful.items.map(\.id) == ["b", "a"] }
    // Once: later rows under the former name belong to another program.
    let home = try await Store<Home.Item>(storage: engine(for: Home.Item.self))
    #expect(home.items.isEmpty)
    try await home.add(Home.Item(id: "new"))
    let again = try await Store<Garden.Item>(
      storage: engine(for: Garden.Item.self, formerNames: ["PantryTests.Home.Item"]))
    #expect(again.items.map(\.id) == ["b", "a"])
  }

  @Test func `rows of 0.1.0 under the bare name, which 0.2.0 has upgraded, are adopted once`()
    async throws
  {
    try await directory.engine("Item").write(
      Data(#"{"id":"a","title":"old"}"#.utf8), key: CacheKey(verbatim: "a"))
    // 0.1.0 recorded no types.
    try directory.database().execute("UPDATE namespace SET type = NULL")
    do {
      let home = try await Store<Home.Item>(storage: engine(for: Home.Item.self))
      #expect(home.items.map(\.title) == ["old"])
      #expect(try namespaces == ["PantryTests.Home.Item"])
    }
    let garden = try await Store<Garden.Item>(storage: engine(for: Garden.Item.self))
    #expect(garden.items.isEmpty)
  }

  @Test func `an explicitly chosen bare name is left alone`() async throws {
    do {
      let chosen = try await Store<Home.Item>(storage: directory.engine("Item"))
      try await chosen.add(Home.Item(id: "a"))
    }
    let engine = try directory.engine("Item")
    try await engine.write(Data(#"{"id":"b","title":""}"#.utf8), key: CacheKey("b"))
    let home = try await Store<Home.Item>(storage: self.engine(for: Home.Item.self))
    #expect(home.items.isEmpty)
    #expect(try await engine.keyCount() == 2)
  }

  // MARK: The directory

  @Test func `the directory is named after the module, and a former one is adopted once`() throws {
    let base = directory.url
    let files = FileManager.default
    func place(_ formerTypes: [String] = []) -> URL {
      ProgramDirectory(in: base, fileID: "Notes/main.swift", formerTypes: formerTypes)
        .holding("pantry.sqlite").url
    }
    // The first 64 bytes of a file of 0.1.0: its schema is the last.
    let file = Data(repeating: 0, count: 63) + [2]
    let own = base.appending(path: "Notes")
    #expect(place() == own)
    #expect(!files.fileExists(atPath: base.appending(path: "Notes").path))
    let process = ProcessInfo.processInfo.processName
    let module = base.appending(path: "Old")
    try files.createDirectory(at: module, withIntermediateDirectories: true)
    try file.write(to: module.appending(path: "pantry.sqlite"))
    // It is found without the former name from now on.
    for names in [["Old.Note"], []] { #expect(place(names) == own) }
    #expect(try Data(contentsOf: own.appending(path: "pantry.sqlite")) == file)
    try files.removeItem(at: own)
    // If the directory exists for another purpose, the former one stays in use.
    let old = base.appending(path: process)
    for url in [old, own] {
      try files.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try file.write(to: old.appending(path: "pantry.sqlite"))
    #expect(place() == old)
    try file.write(to: own.appending(path: "pantry.sqlite"))
    #expect(place() == own)
  }

  @Test func `the directory of another program is not adopted, and a link to it is refused`()
    async throws
  {
    let home = TemporaryDirectory()
    let base = home.url.appending(path: ".local/share")
    do {
      let mail = try SQLiteStorageEngine(
        directory: StorageDirectory(url: base.appending(path: "Mail")), namespace: "Mail.Message")
      try await mail.write(Data("{}".utf8), key: CacheKey("a"))
      try await mail.close()
    }
    // Installed under the name of the other program.
    let renamed = directory.path("Mail")
    try BuildProducts.copy("PantryDefaultProbe", to: renamed)
    let probe = try ProbeProcess(path: renamed, ["default"], home: home)
    #expect(await probe.line() == "0")
    #expect(await probe.hasSucceeded())
    let own = base.appending(path: "PantryDefaultProbe")
    #expect(try own.resourceValues(forKeys: [.isSymbolicLinkKey]).isSymbolicLink == false)
    // The link of 0.2.0.
    try FileManager.default.removeItem(at: own)
    try #require(symlink("Mail", own.path) == 0)
    let linked = try ProbeProcess(path: renamed, ["default"], home: home)
    #expect(
      await linked.line()
        == "\(StorageError.directoryOfAnother(path: own.path, program: "Mail"))")
  }

  @Test func `fault 91: a default place belongs to the program, and a library gives its own`()
    async throws
  {
    let home = TemporaryDirectory()
    let path = try BuildProducts.path(of: "PantryDefaultProbe")
    #expect(ProgramModule.name(ofExecutable: path) == "PantryDefaultProbe")
    #expect(ProgramModule.name(ofExecutable: "/dev/null") == nil)
    #expect(ProgramModule.current == nil, "a test runner accepts all modules")
    let probe = try ProbeProcess(path: path, ["library"], home: home)
    let former = home.url.appending(path: ".local/share/Library").path
    #expect(
      await probe.line()
        == "\(StorageError.placeNeeded(module: "Library", program: "PantryDefaultProbe", former: former))"
    )
    #expect(!FileManager.default.fileExists(atPath: former))
  }

  @Test func `stores with names share the default file`() async throws {
    let home = TemporaryDirectory()
    let path = try BuildProducts.path(of: "PantryDefaultProbe")
    for line in ["[] []", #"["1"] ["2"]"#] {
      let probe = try ProbeProcess(path: path, ["named"], home: home)
      #expect(await probe.line() == line)
      #expect(await probe.hasSucceeded())
    }
  }

  @Test func `a program that is renamed finds its items and values`() async throws {
    let home = TemporaryDirectory()
    let path = try BuildProducts.path(of: "PantryDefaultProbe")
    let renamed = directory.path("renamed")
    try BuildProducts.copy("PantryDefaultProbe", to: renamed)
    for (program, line) in [
      (path, "[] [] 0"), (renamed, #"["0"] ["mail 0"] 1"#),
      (path, #"["0", "1"] ["mail 0", "mail 1"] 2"#),
    ] {
      let probe = try ProbeProcess(path: program, [], home: home)
      #expect(await probe.line() == line)
      #expect(await probe.hasSucceeded())
    }
  }

  @Test func `what 0.1.0 left in a directory named after the process is refused, not empty`()
    async throws
  {
    let home = TemporaryDirectory()
    let release = TemporaryDirectory()
    try ReleasedPantry(release: "0.1.0").copy(to: release)
    let base = home.url.appending(path: ".local/share")
    try FileManager.default.createDirectory(at: base, withIntermediateDirectories: true)
    let place = base.appending(path: "PantryDefaultProbe2")
    try FileManager.default.copyItem(
      at: release.url.appending(path: "default-namespace/notes"), to: place)
    let renamed = directory.path("PantryDefaultProbe2")
    try BuildProducts.copy("PantryDefaultProbe", to: renamed)
    let probe = try ProbeProcess(path: renamed, ["default"], home: home)
    let error = StorageError.olderSchema(path: place.appending(path: "pantry.sqlite").path)
    #expect(await probe.line() == "\(error)")
    #expect(
      !FileManager.default.fileExists(atPath: base.appending(path: "PantryDefaultProbe").path))
  }
}
