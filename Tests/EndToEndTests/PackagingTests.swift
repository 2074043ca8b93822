import Foundation
import PandaTestSupport
import TerminalKit
import Testing

@testable import PandaSession
@testable import PandaShell

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
    let program = try BuildProducts.pathBesideTests(of: "panda")
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

  @Test func `release notes are a section of the changelog, of at most fifteen lines`() throws {
    let notes = try run("Scripts/release-notes", "0.2.0")
    #expect(notes.hasPrefix("Panda 0.2.0\n\n- Pictures come from Wikimedia"))
    #expect(!notes.contains("## ["))
    let unknown = try Subprocess.run(
      [Self.root.appending(path: "Scripts/release-notes").path, "9.9.9"],
      environment: ["PATH=/usr/bin:/bin"])
    #expect(unknown.status == 1 && unknown.output.contains("no section about 9.9.9"))
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

  @Test func `a version has the day and the commit, except at a release tag`() throws {
    try copy("Scripts/commit", "Packaging/commit", "Sources/PandaSession/CommandLine/Version.swift")
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
    try copy("Scripts/commit", "CHANGELOG.md", "Sources/PandaSession/CommandLine/Version.swift")
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

  @Test func `the desktop entry and the metainfo are valid`() throws {
    if SearchPath(nil).program("desktop-file-validate") != nil {
      #expect(try run("desktop-file-validate", "Packaging/panda.desktop") == "")
    }
    guard SearchPath(nil).program("appstreamcli") != nil else { return }
    let file = directory.url.appending(path: "\(Project.appID).metainfo.xml")
    try run("sh", "-c", "Scripts/project --fill <Packaging/metainfo.xml >'\(file.path)'")
    try run("appstreamcli", "validate", "--no-net", file.path)
  }

  // MARK: Releases

  /// Makes the fresh directory a repository with what the source of a release needs.
  ///
  /// - Parameter changes: text in the file of the project's constants that is replaced.
  private func makeRepository(changelog: String, changes: (String, String)? = nil) throws {
    try copy(
      "Scripts/commit", "Scripts/project", "Scripts/release-notes", "Scripts/make-release",
      "Scripts/make-deb", "Packaging/commit", "Packaging/PKGBUILD", ".gitattributes", ".gitignore",
      "Sources/PandaSession/CommandLine/Version.swift",
      "Sources/PandaSession/CommandLine/Project.swift")
    try write("# Changelog\n\n\(changelog)\n\n- New.\n", to: "CHANGELOG.md")
    if let (old, new) = changes {
      let constants = directory.url.appending(
        path: "Sources/PandaSession/CommandLine/Project.swift")
      try Data(
        String(contentsOf: constants, encoding: .utf8).replacingOccurrences(of: old, with: new).utf8
      ).write(to: constants)
    }
    try git("init", "-q")
    try git("add", ".")
    try git("commit", "-q", "-m", "x")
  }

  /// Runs a script of the repository.
  private func script(_ words: String..., allowingPlaceholders: Bool = false) throws
    -> Subprocess.Result
  {
    try Subprocess.run(
      ["env", "-C", directory.url.path] + words,
      environment: ["PATH=/usr/bin:/bin", "HOME=\(directory.url.path)"]
        + (allowingPlaceholders ? ["ALLOW_PLACEHOLDERS=1"] : []))
  }

  /// The files of the release with a name, of which each has the listed checksum.
  private func release(_ name: String) throws -> [String] {
    let folder = directory.url.appending(path: ".build/release-\(name)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let checked = try run("sha256sum", "-c", "SHA256SUMS", in: folder)
    #expect(checked.split(separator: "\n").count == files.count - 1, "\(checked)")
    return files
  }

  @Test func `a release is refused with every reason and what to do, or named unreleased`() throws {
    try makeRepository(
      changelog: "## [Unreleased]",
      changes: ("static let mail = \"", "static let mail = \"x.example"))
    try write("changed\n", to: "Packaging/new")
    try git("add", ".")
    let refused = try script("Scripts/make-release", "--no-packages")
    #expect(refused.status == 1)
    for words in [
      "files have changes, and a release is of the last commit: commit them", "mail x.example",
      "or set ALLOW_PLACEHOLDERS=1", "no section about \(Version.next): write it",
    ] {
      #expect(refused.output.contains(words), "\(refused.output)")
    }
    let package = try script("Scripts/make-deb", "panda")
    #expect(package.status == 1 && package.output.contains("mail x.example"), "\(package)")
    // What is not committed is not released, with placeholders neither.
    let changed = try script("Scripts/make-release", "--no-packages", allowingPlaceholders: true)
    #expect(changed.status == 1 && changed.output.contains("files have changes"), "\(changed)")
    #expect(!FileManager.default.fileExists(atPath: directory.path(".build")))
    // With placeholders it is named so.
    try git("commit", "-q", "-a", "-m", "x")
    let made = try script("Scripts/make-release", "--no-packages", allowingPlaceholders: true)
    #expect(made.status == 0, "\(made)")
    let version = try run("Scripts/commit", "--version", in: directory.url).dropLast()
    #expect(version.hasPrefix("\(Version.next)~git20261121."))
    #expect(
      try release("\(version)-UNRELEASED") == [
        "PKGBUILD-UNRELEASED", "SHA256SUMS", "panda-\(version)-UNRELEASED.tar.gz",
        "release-notes-UNRELEASED.md",
      ])
  }

  @Test func `a release is the commit with its tag`() throws {
    try makeRepository(
      changelog: "## [\(Version.next)] - 2026-12-01", changes: (".example", ".org"))
    let untagged = try script("Scripts/make-release", "--no-packages")
    #expect(untagged.status == 1)
    #expect(
      untagged.output.contains("not tagged v\(Version.next): Scripts/release-notes | git tag"))

    try git("tag", "-a", "-m", "x", "v\(Version.next)")
    let made = try script("Scripts/make-release", "--no-packages")
    #expect(made.status == 0 && made.output == ".build/release-\(Version.next)\n", "\(made)")
    let source = "panda-\(Version.next)"
    #expect(
      try release(Version.next)
        == ["PKGBUILD", "SHA256SUMS", "\(source).tar.gz", "release-notes.md"])
    let folder = directory.url.appending(path: made.output.dropLast())
    let package = try String(
      contentsOf: folder.appending(path: "PKGBUILD"), encoding: .utf8)
    let sums = try String(contentsOf: folder.appending(path: "SHA256SUMS"), encoding: .utf8)
    let sum = try #require(package.firstMatch(of: /sha256sums=\(([0-9a-f]{64})\)/)?.1)
    #expect(sums.contains("\(sum)  \(source).tar.gz") && !package.contains("@VERSION@"))
    // Out of the reach of the repository.
    let other = TemporaryDirectory()
    try run("tar", "-xzf", folder.appending(path: "\(source).tar.gz").path, in: other.url)
    let unpacked = other.url.appending(path: source)
    #expect(try run("Scripts/commit", "--version", in: unpacked) == "\(Version.next)\n")
    #expect(try run("Scripts/commit", in: unpacked) == run("Scripts/commit", in: directory.url))
  }

  // MARK: Contents of a package

  /// Whether the packages of all libraries that the program loads are installed, as for `make deb`.
  static var hasPackages: Bool {
    let command = """
      dpkg-architecture && Scripts/loaded-libraries "$0" | while read -r _ library _; do
        dpkg-query -S "*/$library" || exit
      done
      """
    // Without them there is nothing to list.
    let result = try? Subprocess.run(
      ["env", "-C", root.path, "sh", "-c", command, BuildProducts.pathBesideTests(of: "panda")],
      environment: ["PATH=/usr/bin:/bin"])
    return result?.status == 0
  }

  private struct Contents: Decodable {
    struct Component: Decodable {
      struct Property: Decodable {
        let value: String
      }
      let name, version, purl: String
      let properties: [Property]
    }
    struct Dependency: Decodable {
      let dependsOn: [String]
    }
    let bomFormat: String
    let components: [Component]
    let dependencies: [Dependency]
  }

  @Test(.enabled(if: hasPackages))
  func `the contents of a package have each library with its version and use`() throws {
    let path = try #require(ProcessInfo.processInfo.environment["PATH"])
    let printed = try Subprocess.run(
      [
        "env", "-C", Self.root.path, "Scripts/make-sbom",
        BuildProducts.pathBesideTests(of: "panda"), "1.2.3",
      ], environment: ["PATH=\(path)", "SOURCE_DATE_EPOCH=0"])
    #expect(printed.status == 0, "\(printed.output)")
    let contents = try JSONDecoder().decode(Contents.self, from: Data(printed.output.utf8))
    #expect(contents.bomFormat == "CycloneDX")
    #expect(contents.dependencies.flatMap(\.dependsOn) == contents.components.map(\.name))
    func component(_ name: String) throws -> Contents.Component {
      try #require(contents.components.first { $0.name.hasPrefix(name) }, "\(printed.output)")
    }
    for (name, use) in [("libsqlite3", "linked"), ("libchafa", "loaded"), ("swift", "linked")] {
      let component = try component(name)
      #expect(component.properties.map(\.value) == [use])
      #expect(component.purl.hasPrefix("pkg:") && component.purl.contains("@"))
    }
    let version = try component("libsqlite3").version
    #expect(Version.libraries.contains("SQLite \(version.prefix { $0 != "-" })"), "\(version)")
  }
}
