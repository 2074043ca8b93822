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

  @Test func `a prefix may begin with a tilde, and a directory outside PATH is reported`() throws {
    let home = TemporaryDirectory()
    let place = home.url.path(percentEncoded: false)
    let bin = home.path(".local/bin")
    for (prefix, path) in [
      ("PREFIX=~/.local", "/usr/bin:/bin"), ("PREFIX=~/.local/", "\(bin):/usr/bin:/bin"),
    ] {
      let result = try make("install", prefix, home: place, path: path)
      #expect(result.status == 0, "\(result.output)")
      #expect(result.output.contains("\(bin) is not in PATH") == !path.hasPrefix(bin))
      #expect(FileManager.default.isExecutableFile(atPath: "\(bin)/panda"))
      #expect(!FileManager.default.fileExists(atPath: Self.root.appending(path: "~").path()))
      #expect(try make("uninstall", prefix, home: place).status == 0)
      #expect(!FileManager.default.fileExists(atPath: "\(bin)/panda"))
    }
  }
}
