import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import Grove
@testable import PandaShell

/// Which libraries the program loads, by the dynamic loader's own record (LD_DEBUG in ld.so(8)).
@Suite struct LoadedLibrariesTests {
  let directory = TemporaryDirectory()

  private func run(
    _ arguments: [String], lines: String = "", _ variables: [String] = [], status: Int32 = 0
  ) throws -> (output: String, loaded: String) {
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    let script = "printf '%s' \"$1\" | { shift; exec \"$@\"; }"
    let log = "loader-\(UUID().uuidString)"
    // Only the program itself is watched, not the shell.
    let program = ["env", "LD_DEBUG=files", "LD_DEBUG_OUTPUT=\(directory.path(log))"] + variables
    let result = try Subprocess.run(
      ["sh", "-c", script, "sh", lines] + program + [BuildProducts.path(of: "panda")] + arguments,
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)", "LC_ALL=C.UTF-8",
        "XDG_STATE_HOME=\(directory.path("state"))",
      ])
    #expect(result.status == status, "\(result.output)")
    // The loader adds the process's number to the name.
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.url.path)
    let file = try #require(files.first { $0.hasPrefix(log + ".") })
    return (result.output, try String(contentsOfFile: directory.path(file), encoding: .utf8))
  }

  /// Puts empty files, which cannot be loaded, before the system's libraries.
  private func without(_ libraries: [String]) throws -> [String] {
    let folder = directory.url.appending(path: "without-\(libraries[0])")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for library in libraries { try Data().write(to: folder.appending(path: library)) }
    return ["LD_LIBRARY_PATH=\(folder.path)"]
  }

  private func plain(_ source: String) -> [String] {
    ["--plain", "--source", source, "--data-dir", directory.path("data")]
  }

  @Test func `no command loads a library that it does not use`() throws {
    let picture = directory.url.appending(path: "panda.png")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try BambooGrove.drawing(seed: 1).pngData().write(to: picture)
    let commands: [(arguments: [String], lines: String, sign: String)] = [
      (["--version"], "", "panda "), (["--help"], "", "Usage: panda"),
      (["show", "--graphics", "symbols", picture.path], "", "\u{1B}["),
      (plain("grove"), "fetch\nfavorite\nlist\n", "\(Sentence.added)."),
    ]
    for command in commands {
      let (output, loaded) = try run(command.arguments, lines: command.lines)
      #expect(output.contains(command.sign), "\(command.arguments): \(output)")
      #expect(loaded.contains("libsqlite3.so"), "the record is complete")
      #expect(!loaded.contains("libcurl"), "\(command.arguments)")
      #expect(!loaded.contains("libpq"), "\(command.arguments)")
      #expect(!loaded.contains("libpango"), "\(command.arguments)")
      #expect(!loaded.contains("libchafa"), "\(command.arguments)")
      #expect(!loaded.contains("liblcms2"), "\(command.arguments)")
      #expect(!loaded.contains("libheif"), "\(command.arguments)")
      // Favorites are stored with the digests of their pictures.
      #expect(
        loaded.contains("libcrypto") == command.arguments.contains("--plain"),
        "\(command.arguments)")
    }
  }

  @Test func `libcurl is loaded for a request, libpq for an address, Little CMS for colors`() throws
  {
    let doctor = try run(["doctor"])
    #expect(doctor.output.contains(/curl \d+\.\d+\.\d+/), "\(doctor.output)")
    #expect(doctor.loaded.contains("libcurl.so.4"))
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let fetch = try run(plain(server.endpoint.absoluteString), lines: "fetch\n")
    #expect(fetch.output.contains(Sentence.described(from: "127.0.0.1")), "\(fetch.output)")
    #expect(fetch.loaded.contains("libcurl.so.4"))

    let library = ["--library", "postgresql://127.0.0.1:1/pandas"]
    #expect(try run(["list"] + library, status: 3).loaded.contains("libpq.so.5"))

    // A chunk gAMA for linear light, after the header.
    let gamma: [UInt8] = [0, 0, 0, 4, 103, 65, 77, 65, 0, 1, 134, 160, 49, 232, 150, 95]
    let drawing = try BambooGrove.drawing(seed: 1).pngData()
    let picture = directory.path("linear.png")
    try (drawing.prefix(33) + gamma + drawing.dropFirst(33)).write(to: URL(filePath: picture))
    let show = ["show", "--graphics", "symbols", picture]
    let converted = try run(show)
    #expect(converted.loaded.contains("liblcms2.so.2") && !converted.loaded.contains("libheif"))
    // Without it the colors are as they are stored.
    let stored = try run(show + ["--log"], without(["liblcms2.so.2"]))
    #expect(stored.output.contains("\u{1B}[") && stored.output != converted.output)
    let log = try String(contentsOfFile: directory.path("state/panda/panda.log"), encoding: .utf8)
    #expect(log.contains("liblcms2-2"), "\(log)")
    try drawing.write(to: URL(filePath: picture))
    #expect(try run(show).output == stored.output)
  }

  @Test func `a library that is missing is asked for, where something needs it`() throws {
    let picture = directory.path("panda.png")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try BambooGrove.drawing(seed: 1).pngData().write(to: URL(filePath: picture))
    let heic = PackagingTests.root.appending(
      path: "Tests/PictureCodecsTests/Fixtures/costs/420-8.heic"
    ).path
    let data = ["--data-dir", directory.path("data")]
    #expect(try run(["add", picture] + data).output.contains("Added"))
    let list = try run(["list", "--ids"] + data).output
    let id = try #require(list.split(separator: "\n").first.map(String.init))
    let card = directory.path("card.png")
    let curl = HTTPError(.missingLibrary("libcurl.so.4"), host: "").message
    let source = plain("http://127.0.0.1:1/random")
    let cases: [([String], [String], String, Int32, [String])] = [
      (
        ["libpq.so.5"], ["list", "--library", "postgresql://127.0.0.1:1/pandas"], "", 4,
        ["apt-get install libpq5"]
      ),
      (
        ["libpangocairo-1.0.so.0"], ["card", id, card] + data, "", 1,
        ["\(CardCommand.noCardWritten): Pango, which", "apt-get install libpangocairo-1.0-0"]
      ),
      (
        ["libheif.so.1"], ["show", "--graphics", "symbols", heic], "", 1,
        ["apt-get install libheif1"]
      ),
      // The program works offline: a piped session ends with the worst status, the network's.
      (
        ["libcurl.so.4", "libcurl-gnutls.so.4"], source, "fetch\nfavorite\nlist\n", 3,
        [curl, "\(Sentence.added)."]
      ),
      (["libcurl.so.4", "libcurl-gnutls.so.4"], ["doctor"], "", 0, [curl]),
      (["libchafa.so.0"], ["doctor"], "", 0, ["could not be loaded: install libchafa0"]),
      // Pictures are symbols without it, or words.
      (
        ["libchafa.so.0"], ["show", "--graphics", "sixel", picture], "", 0,
        ["could not be loaded: install libchafa0", "\u{1B}[38;2;"]
      ),
      (
        ["libchafa.so.0"], ["show", "--graphics", "ascii", picture], "", 0,
        ["could not be loaded: install libchafa0", "panda.png: PNG"]
      ),
      (
        ["libcrypto.so.3", "libchafa.so.0"], ["--version", "--verbose"], "", 0,
        ["could not be loaded: install OpenSSL", "could not be loaded: install libchafa0"]
      ),
      // Nothing is opened without it.
      (
        ["libcrypto.so.3"], plain("grove"), "fetch\nfavorite\n", 1,
        ["could not be loaded: install OpenSSL"]
      ),
    ]
    for (libraries, arguments, lines, status, words) in cases {
      let output = try run(arguments, lines: lines, without(libraries), status: status).output
      for words in words { #expect(output.contains(words), "\(libraries) \(output)") }
    }
    // A system without a font.
    let none = directory.path("fonts.conf")
    try Data("<?xml version=\"1.0\"?><fontconfig></fontconfig>".utf8)
      .write(to: URL(filePath: none))
    let fontless = try run(["card", id, card] + data, ["FONTCONFIG_FILE=\(none)"], status: 1)
    #expect(fontless.output.contains("apt-get install "), "\(fontless.output)")
    #expect(!FileManager.default.fileExists(atPath: card))
  }

  @Test func `packagers learn of each loaded library`() throws {
    let root = PackagingTests.root
    let script = root.appending(path: "Scripts/loaded-libraries").path
    let printed = try Subprocess.run(
      [script, BuildProducts.path(of: "panda")], environment: ["PATH=/usr/bin:/bin"])
    let told = Set(printed.output.split { " \n".contains($0) }.filter { $0.hasPrefix("lib") })
    let sources = root.appending(path: "Sources/CLibraries")
    var named: Set<Substring> = []
    for module in try FileManager.default.contentsOfDirectory(atPath: sources.path) {
      let shim = sources.appending(path: "\(module)/shim.h")
      guard FileManager.default.fileExists(atPath: shim.path) else { continue }
      let text = try String(contentsOf: shim, encoding: .utf8)
      named.formUnion(text.matches(of: /_LIBRARY "(lib.*)"/).map(\.output.1))
    }
    #expect(told == named && named.count > 7)
    // Those that PANDA_LINK=1 links; one of several names is enough.
    let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
    for line in printed.output.split(separator: "\n") {
      #expect(line.split(separator: " ").dropFirst().contains { manifest.contains("\"\($0)\"") })
    }
  }
}
