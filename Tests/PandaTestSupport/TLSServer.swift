public import Foundation
internal import Glibc

/// A real HTTPS server on the loopback interface, with a certificate made for it.
///
/// It is `openssl s_server`, which serves the files of a directory, and ends with its last
/// reference.
public final class TLSServer {
  /// What is wrong with the server, if anything.
  public enum Flaw: String, CaseIterable, Sendable {
    case none, expired, selfSigned, wrongHost, oldProtocol
  }

  /// Whether this machine has the `openssl` command.
  public static let isAvailable =
    (try? Subprocess.run(["openssl", "version"], environment: ["PATH=/usr/bin:/bin"]).status) == 0

  /// The directory whose files are served.
  public let directory = TemporaryDirectory()
  /// The port, chosen by the system.
  public let port: Int
  /// The certificate of the authority that signed the server's own, as PEM.
  public var authority: String { directory.path("authority.pem") }

  private let process: ChildProcess

  /// Starts a server for `localhost`.
  ///
  /// - Throws: `TestFailure`.
  public init(_ flaw: Flaw = .none) throws {
    try Self.makeCertificate(flaw, in: directory)
    let output = ProgramPipe()
    process = try ChildProcess(
      "/bin/sh",
      [
        "-c", #"cd "$1" && shift && exec openssl s_server "$@""#, "sh", directory.path(""),
        "-accept", "127.0.0.1:0", "-cert", "server.pem", "-key", "server.key", "-WWW",
      ] + (flaw == .oldProtocol ? ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"] : []),
      output: .pipe(output))
    var said = ""
    while !said.contains(/ACCEPT .*\n/) {
      let bytes = output.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw TestFailure("openssl ended: \(said)") }
      said += String(decoding: bytes, as: UTF8.self)
    }
    guard let found = said.firstMatch(of: /ACCEPT .*:(\d+)/), let port = Int(found.1) else {
      throw TestFailure("openssl names no port: \(said)")
    }
    self.port = port
  }

  deinit {
    process.end()
  }

  /// The address of a file.
  public func url(_ file: String) -> URL { URL(string: "https://localhost:\(port)/\(file)")! }

  /// Serves bytes under a name.
  public func serve(_ file: String, _ bytes: Data) throws {
    try bytes.write(to: directory.url.appending(path: file))
  }

  private static func makeCertificate(_ flaw: Flaw, in directory: TemporaryDirectory) throws {
    let name = flaw == .wrongHost ? "elsewhere.example" : "localhost"
    let script = """
      cd "$1"
      new="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
      openssl req -x509 $new -keyout authority.key -out authority.pem -subj /CN=Authority -days 9
      openssl req $new -keyout server.key -out server.csr -subj /CN=$2
      printf 'subjectAltName=DNS:%s\n' "$2" > names
      openssl x509 -req -in server.csr -extfile names -out server.pem -days "$3" $4
      """
    let signer =
      flaw == .selfSigned
      ? "-signkey server.key" : "-CA authority.pem -CAkey authority.key -CAcreateserial"
    let made = try Subprocess.run(
      [
        "sh", "-ec", script, "sh", directory.url.path(percentEncoded: false), name,
        flaw == .expired ? "-1" : "9", signer,
      ], environment: ["PATH=/usr/bin:/bin"])
    guard made.status == 0 else { throw TestFailure("No certificate: \(made.output)") }
  }
}
