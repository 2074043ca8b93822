import Foundation
import PandaTestSupport
import Testing

@testable import PandaCore
@testable import Pantry

/// Archives that someone made to do harm, or that were damaged.
@MainActor
@Suite struct HostileArchiveTests {
  let fixture = ExchangeFixture()

  /// Makes `a.tar` by Python: an export of two favorites, to which `script` adds and changes.
  ///
  /// `files` has the names and bytes of the export; `add(name, bytes, …)` adds an entry, of which
  /// any property can be given.
  private func archive(_ script: String, mode: String = "w", _ suffix: String = "") async throws {
    let library = try await fixture.library("source-\(UUID())", [.sample(1), .sample(2)])
    _ = try await library.export(to: .directory(fixture.path("export")))
    let frame = """
      import io, os, sys, tarfile
      folder, path = sys.argv[1:]
      files = {}
      for name in sorted(os.listdir(folder)):
          with open(os.path.join(folder, name), 'rb') as file: files[name] = file.read()
      pictures = [name for name in files if name.endswith('.png')]
      tar = tarfile.open(path, '\(mode)')
      def add(name, data=b'', **properties):
          info = tarfile.TarInfo(name)
          info.size = len(data)
          for key, value in properties.items(): setattr(info, key, value)
          tar.addfile(info, io.BytesIO(data))
      def add_all():
          for name, data in files.items(): add(name, data)
      \(script)
      tar.close()
      """
    try fixture.run(
      "python3", "-c", frame, fixture.path("export"), fixture.path("a.tar" + suffix))
  }

  /// Imports `a.tar` into a library of one favorite, which must stay the only one.
  @discardableResult
  private func refusal(
    _ name: String = "a.tar", limits: ExchangeLimits = .standard
  ) async throws -> ExchangeError.Kind? {
    let library = fixture.library("other")
    try await library.save(.sample(9))
    let before = try fixture.names()
    let error = await #expect(throws: ExchangeError.self) {
      try await library.importArchive(from: fixture.path(name), limits: limits)
    }
    #expect(library.favorites.items.map(\.id) == [RemoteImage.sample(9).id])
    #expect(library.incoming.items.isEmpty)
    // Nothing is written beside the library.
    #expect(try fixture.names() == before)
    return error?.kind
  }

  @Test func `an archive made by Python is imported`() async throws {
    try await archive("add('favorites', type=tarfile.DIRTYPE); add_all(); add('README', b'hello')")
    let library = fixture.library("other")
    #expect(try await library.importArchive(from: fixture.path("a.tar")).added == 2)
  }

  @Test(
    arguments: [
      ("add('../up.png', b'x')", "../up.png", .leaving),
      ("add('a/../../up.png', b'x')", "a/../../up.png", .leaving),
      ("add('a/..', type=tarfile.DIRTYPE)", "a/../", .leaving),
      ("add('/etc/panda', b'x')", "/etc/panda", .absolute),
      ("add('//a', b'x')", "//a", .absolute),
      ("add('l', type=tarfile.SYMTYPE, linkname='/etc/passwd')", "l", .link),
      ("add('l', type=tarfile.LNKTYPE, linkname=pictures[0])", "l", .link),
      ("add('d', type=tarfile.CHRTYPE, devmajor=1, devminor=5)", "d", .notAFile),
      ("add('d', type=tarfile.BLKTYPE, devmajor=8, devminor=0)", "d", .notAFile),
      ("add('p', type=tarfile.FIFOTYPE)", "p", .notAFile),
      ("add('a', b'x'); add('a', b'y')", "a", .twice),
      ("add('a', b'x'); add('./a', b'y')", "./a", .twice),
      ("add('favorites.ndjson', b'{}')", "favorites.ndjson", .twice),
      ("add('b/favorites.ndjson', b'{}')", "b/favorites.ndjson", .twice),
      ("add('big', b'x' * 20_000_001)", "big", .tooLarge(limit: 20_000_000)),
    ] as [(String, String, ExchangeError.EntryProblem)])
  func `fault 66: an archive with an invalid entry is refused, naming the entry`(
    _ script: String, _ name: String, _ problem: ExchangeError.EntryProblem
  ) async throws {
    var limits = ExchangeLimits.standard
    // Half a gigabyte would take long to write.
    limits.pictureBytes = 20_000_000
    try await archive("add_all(); " + script)
    #expect(try await refusal(limits: limits) == .entry(name, problem))
    try await archive(script + "; add_all()")
    let expected = script.contains("ndjson") ? nil : ExchangeError.Kind.entry(name, problem)
    if let expected { #expect(try await refusal(limits: limits) == expected) }
  }

  @Test(
    arguments: [
      ("files[pictures[1]] = b'x' * len(files[pictures[1]])", .otherBytes),
      ("files[pictures[1]] = files[pictures[1]] + b'x'", .otherBytes),
      ("files[pictures[1]] = files[pictures[1]][:-1]", .otherBytes),
      ("files[pictures[1]] = b''", .otherBytes),
      ("files[pictures[1]] = files[pictures[0]]", .otherBytes),
      ("del files[pictures[1]]", .missing),
    ] as [(String, ExchangeError.EntryProblem)])
  func `fault 66: an archive whose pictures differ from its list is refused as a whole`(
    _ script: String, _ problem: ExchangeError.EntryProblem
  ) async throws {
    try await archive(script + "\nadd_all()")
    let names = try fixture.names(in: "export").filter { $0.hasSuffix(".png") }
    #expect(try await refusal() == .entry(names[1], problem))
  }

  @Test func `fault 66: a file that is not a picture is refused even with the right digest`()
    async throws
  {
    try await archive(
      """
      import hashlib
      name, data = pictures[0], b'<html>no picture</html>'
      old = files[name]
      text = files['favorites.ndjson'].decode()
      text = text.replace(hashlib.sha256(old).hexdigest(), hashlib.sha256(data).hexdigest())
      files['favorites.ndjson'] = text.replace('"byteCount":%d' % len(old), '"byteCount":23').encode()
      files = {key: data if key == name else value for key, value in files.items()}
      for key in files:
          if key != name and key != 'favorites.ndjson': assert len(files[key]) == len(old)
      files['favorites.ndjson'] = files['favorites.ndjson'].decode().splitlines()[0].replace(
          '"count":2', '"count":1').encode() + b'\\n' + next(line for line in
          files['favorites.ndjson'].splitlines() if name.encode() in line) + b'\\n'
      add_all()
      """)
    guard case .entry(_, .notAPicture)? = try await refusal() else {
      Issue.record("it was not refused as no picture")
      return
    }
  }

  @Test func `fault 66: names with a null byte or another encoding match nothing`() async throws {
    // The format ends names at a null byte, unless they are in an extended header.
    try await archive("add('a', b'x', pax_headers={'path': 'a\\0../../b'}); add_all()")
    let library = fixture.library("null")
    #expect(try await library.importArchive(from: fixture.path("a.tar")).added == 2)
    try await archive(
      "tar.close(); tar = tarfile.open(path, 'w', format=tarfile.USTAR_FORMAT, encoding='latin-1')"
        + "\nadd('\\xe9', b'x'); add_all()")
    #expect(try await refusal() == .entry("Entry 1", .unreadableName))
  }

  @Test func `fault 66: more entries or bytes than the limits are refused`() async throws {
    try await archive(
      "add_all()\nfor number in range(200): add('%d' % number, b'x' * 1000)")
    var limits = ExchangeLimits.standard
    limits.entries = 200
    #expect(try await refusal(limits: limits) == .tooManyEntries(limit: 200))
    limits = .standard
    limits.bytes = 150_000
    #expect(try await refusal(limits: limits) == .tooManyBytes(limit: 150_000))
    #expect(
      try await fixture.library("all").importArchive(from: fixture.path("a.tar")).added == 2)
  }

  @Test(arguments: [("w:gz", ".gz"), ("w", ".zst")])
  func `fault 66: a bomb is refused before it has inflated`(
    _ mode: String, _ suffix: String
  ) async throws {
    // 100 MB of zeros become 100 KB.
    let script = "add_all()\nfor number in range(10): add('%d' % number, bytes(10_000_000))"
    try await archive(script, mode: mode, suffix == ".zst" ? "" : suffix)
    if suffix == ".zst" {
      try fixture.run("zstd", "-q", fixture.path("a.tar"), "-o", fixture.path("a.tar.zst"))
    }
    #expect(try await refusal("a.tar" + suffix) == .inflated(limit: 100))
  }

  @Test func `fault 66: an archive that was cut at any block is refused`() async throws {
    let library = try await fixture.library("source", (1...4).map { .sample($0) })
    _ = try await library.export(to: .tar(fixture.path("whole.tar")))
    let whole = try fixture.bytes("whole.tar")
    // All but the end of the archive, two blocks of zeros.
    for count in stride(from: 0, to: whole.count - 1024, by: 512) {
      for extra in [0, 100] {
        try fixture.write(whole.prefix(count + extra), to: "a.tar")
        switch try await refusal() {
        case .unreadableArchive, .noManifest, .line, .entry(_, .missing): continue
        case let kind: Issue.record("cut at \(count + extra): \(String(describing: kind))")
        }
      }
    }
    // The end itself is no loss.
    try fixture.write(whole.dropLast(1024), to: "a.tar")
    #expect(try await fixture.library("a").importArchive(from: fixture.path("a.tar")).added == 4)
  }

  @Test func `fault 66: bytes changed anywhere cause no crash, and never half an import`()
    async throws
  {
    let library = try await fixture.library("source", (1...3).map { .sample($0) })
    _ = try await library.export(to: .tar(fixture.path("whole.tar")))
    let whole = try fixture.bytes("whole.tar")
    let other = fixture.library("other")
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<Torture.rounds(300, orTorture: 20_000) {
      var data = whole
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        data[Int.random(in: 0..<data.count, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      try fixture.write(data, to: "a.tar")
      do {
        let added = try await other.importArchive(from: fixture.path("a.tar")).added
        #expect(added == 3 || added == 0)
        _ = try await other.undo()
      } catch {
        #expect(error is ExchangeError, "\(error)")
      }
      #expect(other.favorites.items.isEmpty && other.incoming.items.isEmpty)
    }
  }

  @Test(arguments: [
    "", "panda", "<html></html>", "PK\u{3}\u{4}", String(repeating: "\0", count: 10_240),
  ])
  func `a file that is not an archive is refused`(_ text: String) async throws {
    try fixture.write(Data(text.utf8), to: "a.tar")
    switch try await refusal() {
    case .unreadableArchive, .noManifest: break
    case let kind: Issue.record("\(String(describing: kind))")
    }
  }

  @Test func `fault 66: a path to neither file nor directory is refused without blocking`()
    async throws
  {
    try fixture.run("mkfifo", fixture.path("a.tar"))
    #expect(try await refusal() == .unreadableArchive("it is not a file"))
    #expect(try await refusal("none") == .cannotRead(ENOENT))
    try FileManager.default.createDirectory(
      atPath: fixture.path("empty"), withIntermediateDirectories: true)
    #expect(try await refusal("empty") == .noManifest)
  }

  @Test func `fault 66: a directory is read through no link, pipe or wrong file`() async throws {
    let library = try await fixture.library("source", [.sample(1), .sample(2)])
    let target = ExportTarget.directory(fixture.path("export"))
    _ = try await library.export(to: target)
    let name = try fixture.names(in: "export")[1]
    let path = fixture.path("export/\(name)")
    let manager = FileManager.default

    try manager.moveItem(atPath: path, toPath: fixture.path("moved"))
    #expect(try await refusal("export") == .entry(name, .missing))
    try manager.createSymbolicLink(atPath: path, withDestinationPath: fixture.path("moved"))
    #expect(try await refusal("export") == .entry(name, .link))
    try manager.removeItem(atPath: path)
    try fixture.run("mkfifo", path)
    #expect(try await refusal("export") == .entry(name, .notAFile))
    try manager.removeItem(atPath: path)
    try manager.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(try await refusal("export") == .entry(name, .notAFile))
    try manager.removeItem(atPath: path)
    try fixture.run("truncate", "-s", "512000001", path)
    #expect(try await refusal("export") == .entry(name, .tooLarge(limit: 512_000_000)))
    try manager.removeItem(atPath: path)
    try manager.moveItem(atPath: fixture.path("moved"), toPath: path)
    try manager.moveItem(
      atPath: fixture.path("export/favorites.ndjson"), toPath: fixture.path("moved"))
    try manager.createSymbolicLink(
      atPath: fixture.path("export/favorites.ndjson"), withDestinationPath: fixture.path("moved"))
    #expect(try await refusal("export") == .entry("favorites.ndjson", .link))
  }

  @Test(arguments: ["export", "export.tar"])
  func `fault 66: an archive that is replaced while it is read is never half imported`(
    _ name: String
  ) async throws {
    let library = try await fixture.library("source", (1...40).map { .sample($0) })
    let target = try ExportTarget(path: fixture.path(name))
    _ = try await library.export(to: target)
    let other = try await fixture.library("all", (1...40).map { .sample($0 + 100) })
    let replacement = try ExportTarget(path: fixture.path("new" + name))
    _ = try await other.export(to: replacement)
    let (path, new) = (target.path, replacement.path)
    let result = await Task {
      try await fixture.library("other").importArchive(from: path) { progress in
        guard progress.done == 10 else { return }
        // In place of the open one; a picture that is not read yet is written over.
        if name == "export" {
          for file in FileManager.default.enumerator(atPath: path)?.allObjects ?? [] {
            let file = "\(path)/\(file)"
            guard file.hasSuffix(".png") else { continue }
            _ = FileManager.default.createFile(atPath: file, contents: RemoteImage.picture(7))
          }
        } else {
          rename(new, path)
        }
      }
    }.result
    let found = fixture.library("other").favorites
    try await found.itemsHaveLoaded()
    if name == "export" {
      // The bytes are not those of the list.
      let error = #expect(throws: ExchangeError.self) { try result.get() }
      guard case .entry(_, .otherBytes)? = error?.kind else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(found.items.isEmpty)
    } else {
      // The open file is the former one to its end.
      #expect(try result.get().added == 40)
      #expect(found.items.map(\.id) == library.favorites.items.map(\.id))
    }
  }
}
