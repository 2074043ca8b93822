import Foundation
import PandaTestSupport
import TerminalKit
import Testing

@testable import PandaTUI

/// The scripts that install and release the program.
@Suite struct PackagingTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../..").standardized
  let directory = TemporaryDirectory()

  @discardableResult
  private func run(_ arguments: String..., in folder: URL = root) throws -> String {
    let result = try Subprocess.run(
      ["env", "-C", folder.path(percentEncoded: false)] + arguments,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(directory.url.path)"])
    #expect(result.status == 0, "\(arguments): \(result.output)")
    return result.output
  }

  /// The files below the prefix, without the directories.
  private func files() throws -> [String] {
    try run("find", "usr", "-type", "f", in: directory.url).split(separator: "\n").map(String.init)
      .sorted()
  }

  @Test func `installing puts every file in its place, and removing leaves nothing behind`() throws
  {
    let program = try BuildProducts.path(of: "panda")
    let other = directory.url.appending(path: "usr/share/man/man1/other.1")
    try FileManager.default.createDirectory(
      at: other.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("other".utf8).write(to: other)

    try run("Scripts/install-files", program, directory.path("usr"))
    #expect(
      try files() == [
        "usr/bin/panda", "usr/share/applications/panda.desktop",
        "usr/share/bash-completion/completions/panda",
        "usr/share/fish/vendor_completions.d/panda.fish",
        "usr/share/icons/hicolor/scalable/apps/panda.svg",
        "usr/share/man/man1/other.1", "usr/share/man/man1/panda.1",
        "usr/share/man/man5/panda-config.5",
        "usr/share/metainfo/\(Project.appID).metainfo.xml",
        "usr/share/zsh/site-functions/_panda",
      ])
    #expect(try run(directory.path("usr/bin/panda"), "--version") == "panda \(Version.number)\n")
    let page = try String(
      contentsOfFile: directory.path("usr/share/man/man1/panda.1"), encoding: .utf8)
    #expect(page == ManualPage.panda.source())
    let metainfo = try String(
      contentsOfFile: directory.path("usr/share/metainfo/\(Project.appID).metainfo.xml"),
      encoding: .utf8)
    #expect(metainfo.contains("<id>\(Project.appID)</id>") && !metainfo.contains("@"))

    try run("Scripts/install-files", "--remove", directory.path("usr"))
    #expect(try files() == ["usr/share/man/man1/other.1"])
  }

  @Test func `the release notes are the section of the version`() throws {
    let notes = try run("Scripts/release-notes", "0.2.0")
    #expect(notes.hasPrefix("Panda 0.2.0\n\n- Pictures come from Wikimedia"))
    #expect(!notes.contains("## ["))
    let unknown = try Subprocess.run(
      [Self.root.appending(path: "Scripts/release-notes").path, "9.9.9"],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(unknown.status == 1 && unknown.output.contains("no section about 9.9.9"))
  }

  @Test func `a release has at most fifteen lines in the changelog, an entry each`() throws {
    let text = try String(contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    let sections = text.components(separatedBy: "\n## [").dropFirst()
    #expect(sections.count >= 3)
    for section in sections {
      let lines = section.split(separator: "\n")
      #expect((2...16).contains(lines.count), "\(lines[0]) has \(lines.count - 1) lines")
      for line in lines.dropFirst() {
        #expect(line.hasPrefix("- ") && line.count <= 100, "\(line)")
      }
    }
  }

  /// Copies files of the package into the fresh directory.
  private func copy(_ files: String...) throws {
    for file in files {
      let copy = directory.url.appending(path: file)
      try FileManager.default.createDirectory(
        at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: Self.root.appending(path: file), to: copy)
    }
  }

  private func write(_ text: String, to file: String) throws {
    try Data(text.utf8).write(to: directory.url.appending(path: file))
  }

  /// Runs git in the fresh directory, as a person with a clock that stands at a time in 2026.
  @discardableResult private func git(_ arguments: String...) throws -> String {
    let result = try Subprocess.run(
      ["git", "-C", directory.url.path, "-c", "user.name=a", "-c", "user.email=a@panda.example"]
        + arguments,
      environment: [
        "PATH=/usr/bin:/bin", "HOME=\(directory.url.path)",
        "GIT_COMMITTER_DATE=1795275791 +1400",
      ])
    #expect(result.status == 0, "\(arguments): \(result.output)")
    return result.output
  }

  @Test func `a version tells the day and the commit, except at the tag of the release`() throws {
    try copy("Scripts/commit", "Packaging/commit", "Sources/PandaTUI/CommandLine/Version.swift")
    func version() throws -> String {
      String(try run("Scripts/commit", "--version", in: directory.url).dropLast())
    }
    try git("init", "-q")
    try git("add", ".")
    try git("commit", "-q", "-m", "x")
    let hash = try git("rev-parse", "HEAD")
    // The day in UTC, not where the commit was made.
    let development = "\(Version.next)~git20261121.\(hash.prefix(7))"
    #expect(try version() == development)
    try git("tag", "-a", "-m", "x", "v9.9.9")
    #expect(try version() == development)
    try git("tag", "-a", "-m", "x", "v\(Version.next)")
    #expect(try version() == Version.next)
    try write("\n", to: "Scripts/commit.orig")
    try git("add", ".")
    #expect(try version() == development + ".dirty")
    #expect(try run("Scripts/commit", in: directory.url) == "\(hash.prefix(12))-dirty\n")
  }

  @Test func `a source tarball knows its version without git`() throws {
    try copy("Scripts/commit", "CHANGELOG.md", "Sources/PandaTUI/CommandLine/Version.swift")
    try FileManager.default.createDirectory(
      at: directory.url.appending(path: "Packaging"), withIntermediateDirectories: true)
    func told(_ option: String...) throws -> String {
      String(
        try run("sh", "-c", "Scripts/commit \(option.joined())", in: directory.url).dropLast())
    }
    let commit = "0123456789abcdef0123456789abcdef01234567 1795275791"
    try write("\(commit) v0.2.0-7-g0123456789\n", to: "Packaging/commit")
    #expect(try told() == "0123456789ab")
    #expect(try told("--time") == "1795275791")
    #expect(try told("--version") == "\(Version.next)~git20261121.0123456")
    try write("\(commit) v\(Version.next)\n", to: "Packaging/commit")
    #expect(try told("--version") == Version.next)

    // A copy of the tree that is neither: no commit, and the day of the last release.
    try write(
      try String(contentsOf: Self.root.appending(path: "Packaging/commit"), encoding: .utf8),
      to: "Packaging/commit")
    #expect(try told() == "")
    #expect(try told("--version") == "\(Version.next)~git")
    let time = Date(timeIntervalSince1970: try #require(Double(try told("--time"))))
    let day = time.formatted(.iso8601.year().month().day())
    let changelog = try String(
      contentsOf: Self.root.appending(path: "CHANGELOG.md"), encoding: .utf8)
    #expect(changelog.firstMatch(of: /\n## \[[0-9.]+\] - ([0-9-]+)\n/)?.1 == day[...])
  }

  @Test(.enabled(if: SearchPath(nil).program("desktop-file-validate") != nil))
  func `the desktop entry is valid`() throws {
    #expect(try run("desktop-file-validate", "Packaging/panda.desktop") == "")
  }

  @Test(.enabled(if: SearchPath(nil).program("appstreamcli") != nil))
  func `the metainfo is valid`() throws {
    let file = directory.url.appending(path: "\(Project.appID).metainfo.xml")
    try run("sh", "-c", "Scripts/project --fill <Packaging/metainfo.xml >'\(file.path)'")
    try run("appstreamcli", "validate", "--no-net", file.path)
  }

  @Test func `packages with a placeholder for the project are refused, unless they are allowed`()
    throws
  {
    for folder in ["Scripts", "Sources/PandaTUI/CommandLine"] {
      try FileManager.default.createDirectory(
        at: directory.url.appending(path: folder), withIntermediateDirectories: true)
    }
    for file in ["make-dist", "make-deb", "project"] {
      try FileManager.default.copyItem(
        at: Self.root.appending(path: "Scripts/\(file)"),
        to: directory.url.appending(path: "Scripts/\(file)"))
    }
    let constants = directory.url.appending(path: "Sources/PandaTUI/CommandLine/Project.swift")
    func result(_ arguments: String...) throws -> Subprocess.Result {
      try Subprocess.run(
        ["env", "-C", directory.url.path] + arguments,
        environment: ["PATH=/usr/bin:/bin", "HOME=\(directory.url.path)"])
    }
    try run("git", "init", "-q", in: directory.url)
    try run(
      "git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m",
      "x", in: directory.url)
    try Data("  static let mail = \"a@panda.example\"\n".utf8).write(to: constants)
    for script in [["Scripts/make-dist"], ["Scripts/make-deb", "panda"]] {
      let refused = try Subprocess.run(
        ["env", "-C", directory.url.path] + script, environment: ["PATH=/usr/bin:/bin"])
      #expect(refused.status == 1 && refused.output.contains("mail a@panda.example"), "\(refused)")
    }
    let allowed = try result("env", "ALLOW_PLACEHOLDERS=1", "Scripts/project", "--release")
    #expect(allowed.status == 0)
    try Data("  static let mail = \"a@panda.org\"\n".utf8).write(to: constants)
    #expect(try result("Scripts/project", "--release").status == 0)
    #expect(try result("Scripts/project", "mail").output == "a@panda.org\n")
  }
}
