import Foundation
import PandaTestSupport
import Testing

/// `make install`, with a program that is already built.
@Suite struct InstallTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Runs make in the repository by a shell that does not expand `PREFIX=~`, as dash does not.
  func make(_ arguments: String..., home: String, path: String = "/usr/bin:/bin") throws
    -> Subprocess.Result
  {
    // Old as `build` is said to be, the program is not built for it.
    try Subprocess.run(
      [
        "make", "-C", Self.root.path(percentEncoded: false), "-o", "build",
        "PROGRAM=\(BuildProducts.path(of: "panda"))",
      ] + arguments, environment: ["HOME=\(home)", "PATH=\(path)"])
  }

  @Test func `a prefix that begins with a tilde is in the home`() throws {
    let home = TemporaryDirectory()
    let installed = home.path(".local/bin/panda")
    for prefix in ["PREFIX=~/.local", "PREFIX=~/.local/"] {
      let result = try make("install", prefix, home: home.url.path(percentEncoded: false))
      #expect(result.status == 0, "\(result.output)")
      #expect(FileManager.default.isExecutableFile(atPath: installed))
      #expect(!FileManager.default.fileExists(atPath: Self.root.appending(path: "~").path()))
      #expect(try make("uninstall", prefix, home: home.url.path(percentEncoded: false)).status == 0)
      #expect(!FileManager.default.fileExists(atPath: installed))
    }
  }

  @Test func `installing says so when the directory is not in PATH`() throws {
    let home = TemporaryDirectory()
    let bin = home.path(".local/bin")
    let outside = try make("install", home: home.url.path(percentEncoded: false))
    #expect(outside.output.contains("\(bin) is not in PATH"))
    let inside = try make(
      "install", home: home.url.path(percentEncoded: false), path: "\(bin):/usr/bin:/bin")
    #expect(inside.status == 0)
    #expect(!inside.output.contains("not in PATH"))
  }
}
