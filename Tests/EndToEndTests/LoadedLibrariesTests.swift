import Foundation
import PandaCore
import PandaTestSupport
import Testing

@testable import Grove
@testable import PandaTUI

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

  @Test func `libcurl is loaded for doctor's list of versions, and for a request`() throws {
    let doctor = try run(["doctor"])
    #expect(doctor.output.contains(/curl \d+\.\d+\.\d+/), "\(doctor.output)")
    #expect(doctor.loaded.contains("libcurl.so.4"))

    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let fetch = try run(plain(server.endpoint.absoluteString), lines: "fetch\n")
    #expect(fetch.output.contains(Sentence.described(from: "127.0.0.1")), "\(fetch.output)")
    #expect(fetch.loaded.contains("libcurl.so.4"))
  }

  @Test func `libpq is loaded for an address of a server, and asked for if it is missing`() throws {
    let library = ["--library", "postgresql://127.0.0.1:1/pandas"]
    #expect(try run(["list"] + library, status: 3).loaded.contains("libpq.so.5"))
    let broken = directory.url.appending(path: "broken")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try Data().write(to: broken.appending(path: "libpq.so.5"))
    let without = try run(["list"] + library, ["LD_LIBRARY_PATH=\(broken.path)"], status: 4)
    #expect(without.output.contains("apt-get install libpq5"), "\(without.output)")
  }

  @Test func `Pango is loaded for a card, and asked for if it is missing`() throws {
    let picture = directory.url.appending(path: "panda.png")
    try FileManager.default.createDirectory(at: directory.url, withIntermediateDirectories: true)
    try BambooGrove.drawing(seed: 1).pngData().write(to: picture)
    let data = ["--data-dir", directory.path("data")]
    #expect(try run(["add", picture.path] + data).output.contains("Added"))
    let list = try run(["list", "--ids"] + data).output
    let id = try #require(list.split(separator: "\n").first.map(String.init))
    let broken = directory.url.appending(path: "broken")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try Data().write(to: broken.appending(path: "libpangocairo-1.0.so.0"))
    let card = directory.path("card.png")
    let without = try run(
      ["card", id, card] + data, ["LD_LIBRARY_PATH=\(broken.path)"], status: 1)
    #expect(
      without.output.contains(
        "\(CommandSession.noCardWritten): Pango, which sets the text of a card"))
    #expect(without.output.contains("apt-get install libpangocairo-1.0-0"), "\(without.output)")
    // A system without a font.
    let none = directory.path("fonts.conf")
    try Data("<?xml version=\"1.0\"?><fontconfig></fontconfig>".utf8)
      .write(to: URL(filePath: none))
    let fontless = try run(["card", id, card] + data, ["FONTCONFIG_FILE=\(none)"], status: 1)
    #expect(fontless.output.contains("apt-get install "), "\(fontless.output)")
    #expect(!FileManager.default.fileExists(atPath: card))
  }

  @Test func `Little CMS and libheif are loaded for pictures that need them only`() throws {
    let folder = directory.url.appending(path: "broken")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["liblcms2.so.2", "libheif.so.1"] {
      try Data().write(to: folder.appending(path: name))
    }
    let without = ["LD_LIBRARY_PATH=\(folder.path)"]
    // A chunk gAMA for linear light, after the header.
    let gamma: [UInt8] = [0, 0, 0, 4, 103, 65, 77, 65, 0, 1, 134, 160, 49, 232, 150, 95]
    let plain = try BambooGrove.drawing(seed: 1).pngData()
    let picture = directory.path("linear.png")
    try (plain.prefix(33) + gamma + plain.dropFirst(33)).write(to: URL(filePath: picture))
    let show = ["show", "--graphics", "symbols", picture]
    let converted = try run(show)
    #expect(converted.loaded.contains("liblcms2.so.2") && !converted.loaded.contains("libheif"))
    // Without it the colors are as they are stored.
    let stored = try run(show + ["--log"], without)
    #expect(stored.output.contains("\u{1B}[") && stored.output != converted.output)
    let log = try String(contentsOfFile: directory.path("state/panda/panda.log"), encoding: .utf8)
    #expect(log.contains("liblcms2-2"), "\(log)")
    try plain.write(to: URL(filePath: picture))
    #expect(try run(show).output == stored.output)

    let heic = PackagingTests.root.appending(
      path: "Tests/PictureCodecsTests/Fixtures/costs/420-8.heic")
    let refused = try run(["show", "--graphics", "symbols", heic.path], without, status: 1)
    #expect(refused.output.contains("apt-get install libheif1"), "\(refused.output)")
  }

  @Test func `packagers are told of each library that is loaded`() throws {
    let root = PackagingTests.root
    let script = root.appending(path: "Scripts/loaded-libraries").path
    let printed = try Subprocess.run(
      [script, BuildProducts.path(of: "panda")], environment: ["PATH=/usr/bin:/bin"])
    let told = Set(printed.output.split { " \n".contains($0) }.filter { $0.hasPrefix("lib") })
    let sources = root.appending(path: "Sources")
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

  @Test func `without libcurl the program works offline, and says what to install`() throws {
    // A library in this directory comes before the system's. An empty file cannot be loaded.
    let broken = directory.url.appending(path: "broken")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
      try Data().write(to: broken.appending(path: name))
    }
    let variables = ["LD_LIBRARY_PATH=\(broken.path)"]
    let words = HTTPError(.missingLibrary("libcurl.so.4"), host: "").message

    #expect(try run(["doctor"], variables).output.contains(words))
    let server = try PandaServer(pictures: ServedPictures.all())
    defer { server.stop() }
    let fetch = try run(
      plain(server.endpoint.absoluteString), lines: "fetch\nfavorite\nlist\n", variables,
      // A piped session ends with the worst status that it met: the network's.
      status: 3)
    #expect(fetch.output.contains(words), "\(fetch.output)")
    #expect(fetch.output.contains("\(Sentence.added)."), "\(fetch.output)")
  }

  @Test func `without libchafa pictures are symbols, or words that say what to install`() throws {
    let broken = directory.url.appending(path: "broken")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try Data().write(to: broken.appending(path: "libchafa.so.0"))
    let variables = ["LD_LIBRARY_PATH=\(broken.path)"]
    let picture = directory.url.appending(path: "panda.png")
    try BambooGrove.drawing(seed: 1).pngData().write(to: picture)
    let words = "could not be loaded: install libchafa0"

    #expect(try run(["doctor"], variables).output.contains(words))
    #expect(try run(["--version", "--verbose"], variables).output.contains(words))
    let sixel = try run(["show", "--graphics", "sixel", picture.path], variables).output
    #expect(sixel.contains(words) && sixel.contains("\u{1B}[38;2;"), "\(sixel)")
    let ascii = try run(["show", "--graphics", "ascii", picture.path], variables).output
    #expect(ascii.contains(words) && ascii.contains("panda.png: PNG"), "\(ascii)")
  }

  @Test func `without libcrypto nothing is opened, and it says what to install`() throws {
    let broken = directory.url.appending(path: "broken")
    try FileManager.default.createDirectory(at: broken, withIntermediateDirectories: true)
    try Data().write(to: broken.appending(path: "libcrypto.so.3"))
    let variables = ["LD_LIBRARY_PATH=\(broken.path)"]
    let words = "could not be loaded: install OpenSSL"
    #expect(try run(["--version", "--verbose"], variables).output.contains(words))
    let plain = try run(plain("grove"), lines: "fetch\nfavorite\n", variables, status: 1)
    #expect(plain.output.contains(words), "\(plain.output)")
  }
}
