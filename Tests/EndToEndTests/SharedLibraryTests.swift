import Foundation
import PandaTestSupport
import PictureCodecs
import Testing

@testable import PandaSession

/// The real program with its favorites on a real PostgreSQL server.
@Suite(
  .enabled(if: PostgresCluster.programs != nil, "\(PostgresCluster.advice)"),
  .timeLimit(.minutes(15)))
struct SharedLibraryTests {
  private let cluster: PostgresCluster
  private let database: String
  private let home = TemporaryDirectory()

  init() throws {
    cluster = try PostgresCluster.shared.get()
    database = try cluster.createDatabase()
  }

  private func panda(
    _ arguments: [String], library: String? = nil
  ) throws -> (status: Int32, output: String) {
    let result = try Subprocess.run(
      [try BuildProducts.path(of: "panda")] + arguments
        + ["--library", library ?? cluster.uri(database: database)],
      environment: ["PATH=/usr/bin:/bin", "HOME=\(home.url.path)", "LC_ALL=C.UTF-8"])
    return (result.status, result.output)
  }

  @Test func `two Pandas on one server show each other's changes`() async throws {
    let folders = (TemporaryDirectory(), TemporaryDirectory())
    func start(_ directory: TemporaryDirectory, _ machine: String) throws -> PandaDriver {
      try PandaDriver.configure(directory, "{ author: \"\(machine)\" }")
      return try PandaDriver(
        directory, source: "grove",
        arguments: ["--library", cluster.uri(database: database, machine: machine)])
    }
    let one = try start(folders.0, "ada")
    let other = try start(folders.1, "bo")
    try await other.expect(favorites: 0)
    try await one.favorite(2)
    try await other.expect(favorites: 2)
    try await other.expectThumbnails()
    try other.press(.view(.nextPane), .favorites(.remove))
    try await one.expect(favorites: 1)
    try await one.killed()
    try other.press(.favorites(.undo))
    try await other.expect(favorites: 2)
    try await other.quit()
  }

  @Test func `commands work on the server's favorites, and libpq prints nothing`() throws {
    #expect(try panda(["fetch", "--source", "grove", "--keep", "-n", "2"]).status == 0)
    // A warning for each row that is written.
    try cluster.sql(
      """
      CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE WARNING 'geheim'; RETURN NEW; END $$;
      CREATE TRIGGER warn AFTER INSERT ON pantry.item FOR EACH ROW EXECUTE FUNCTION warn()
      """, database: database)
    let kept = try panda(["fetch", "--source", "grove", "--keep"])
    #expect(kept.status == 0 && !kept.output.contains("WARNING"))
    let listed = try panda(["list", "--json"])
    #expect(listed.output.contains("\"savedBy\":\""))
    #expect(try panda(["list", "--ids"]).output.split(separator: "\n").count == 3)
    #expect(try panda(["copy", "--to", home.path("copy")]).output.contains("Copied 3 pandas"))
    let backup = try panda(["backup", home.path("backup.sqlite")])
    #expect(backup.status != 0 && backup.output.contains("pg_dump"))
  }

  @Test func `fault 107: a command says that its server is silent`() async throws {
    let network = try FaultyNetwork(to: cluster.directory.path(".s.PGSQL.5432"))
    defer { network.stop() }
    let library = "postgresql://pantry@127.0.0.1:\(network.port)/\(database)"
    let watching = try ProbeProcess(
      path: "/bin/sh",
      [
        "-c", "exec \"$0\" watch --library \"$1\" 2>&1", BuildProducts.path(of: "panda"), library,
      ], home: home)
    #expect(await watching.line() == "0 favorites")
    network.turn(.silent)
    let line = await watching.line() ?? ""
    #expect(line.contains("cannot be reached: it did not answer in time"), "\(line)")
    #expect(line.hasSuffix("Ctrl-C gives up."))
    // Without a session it ends by itself.
    let server = try MutePostgres()
    defer { server.stop() }
    let (status, output) = try panda(["list"], library: server.address)
    #expect(status == ExitStatus.network.rawValue && output.contains("it does not answer"))
  }

  @Test func `a password causes a warning, and is in no message or log`() throws {
    let (status, output) = try panda(
      ["list", "--log"], library: "postgresql://ada:geheim@127.0.0.1:1/pandas")
    #expect(status == ExitStatus.network.rawValue)
    #expect(output.contains("~/.pgpass") && output.contains("127.0.0.1:1/pandas"))
    #expect(!output.contains("geheim"))
    let log = try String(
      contentsOfFile: home.path(".local/state/panda/panda.log"), encoding: .utf8)
    #expect(log.contains("cannot be reached") && !log.contains("geheim"))
    let copy = try panda(
      ["copy", "--to", "postgresql://ada:geheim@127.0.0.1:1/pandas"], library: "local")
    #expect(copy.status == ExitStatus.network.rawValue)
    #expect(copy.output.contains("password in --to") && copy.output.contains("~/.pgpass"))
    #expect(!copy.output.contains("geheim"))
    let refused = try panda(["list"], library: "https://a:geheim@b")
    #expect(refused.status == 2 && refused.output.contains("--library takes"))
    #expect(!refused.output.contains("geheim"))
  }

  @Test func `a copy that is killed is completed by another one`() async throws {
    // Three batches of 8 MB.
    let pictures = home.url.appending(path: "pictures")
    try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true)
    for number in 1...24 {
      try noisyPNG(number).write(to: pictures.appending(path: "\(number).png"))
    }
    #expect(try panda(["add", pictures.path], library: "local").status == 0)
    let copy = try ChildProcess(
      BuildProducts.path(of: "panda"),
      ["copy", "--to", cluster.uri(database: database), "--library", "local"],
      environment: ["HOME": home.url.path, "LC_ALL": "C.UTF-8"])
    try await eventually("the first pictures") {
      // The tables may not be there yet.
      ((try? cluster.sql("SELECT count(*) FROM pantry.attachment", database: database))
        .flatMap(Int.init) ?? 0) > 0
    }
    copy.end()
    let second = try panda(
      ["copy", "--to", cluster.uri(database: database)], library: "local")
    #expect(second.status == 0, "\(second.output)")
    let ids = try panda(["list", "--ids"], library: "local").output
    #expect(ids.split(separator: "\n").count == 24)
    #expect(try panda(["list", "--ids"]).output == ids)
    #expect(
      try cluster.sql(
        "SELECT count(*) FROM pantry.attachment WHERE digest = sha256(data)", database: database)
        == "24")
  }

  /// A picture of about a megabyte that does not compress.
  private func noisyPNG(_ seed: Int) throws -> Data {
    var random = UInt64(seed)
    let bytes = (0..<(600 * 600 * 4)).map { place -> UInt8 in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return place % 4 == 3 ? .max : UInt8(truncatingIfNeeded: random >> 33)
    }
    return try Bitmap(size: PixelSize(width: 600, height: 600), pixels: bytes).pngData()
  }
}
