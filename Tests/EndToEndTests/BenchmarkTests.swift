import PandaTestSupport
import Testing

/// The command line of `make bench`.
@Suite struct BenchmarkTests {
  private func run(_ arguments: [String]) throws -> Subprocess.Result {
    try Subprocess.run(
      [BuildProducts.path(of: "panda-bench")] + arguments, environment: ["PATH=/usr/bin:/bin"])
  }

  @Test(arguments: ["--help", "-h"])
  func `help is printed with status 0`(_ option: String) throws {
    let result = try run([option])
    #expect(result.status == 0 && result.output.hasPrefix("Usage: panda-bench"))
    let names = [
      "store", "engines", "live", "startup", "launch", "sources", "session", "slow", "pictures",
      "greeting", "pick",
    ]
    for name in names {
      #expect(result.output.contains("\n  \(name) "))
    }
  }

  @Test(arguments: [
    (["stores"], "there is no benchmark stores"), (["--jason"], "unknown option --jason"),
    (["live", "more"], "nothing follows live"),
  ])
  func `unknown words give one message and status 2`(_ arguments: [String], _ problem: String)
    throws
  {
    let result = try run(arguments)
    #expect(result.status == 2)
    #expect(result.output == "panda-bench: \(problem). Try panda-bench --help.\n")
  }
}
