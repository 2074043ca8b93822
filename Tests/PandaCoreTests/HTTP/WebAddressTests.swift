import Foundation
import Testing

@testable import PandaCore

@Suite struct WebAddressTests {
  static let publicOnes = [
    "https://redpanda.club/1?a=b&c=d#e", "http://a.example:8080/x", "HTTPS://A.Example/@x:y",
    "https://xn--rpanda-2ya.example/", "https://1.1.1.1/", "https://[2606:4700:4700::1111]/x",
    "https://photos.example./", "https://a_b.example",
  ]

  static let others = [
    "http://192.168.0.1/", "http://127.0.0.1:8080/", "http://10.1/", "http://0x7f.1/",
    "http://2130706433/", "http://017700000001/", "http://127.0.0.0x1/", "http://[::1]/",
    "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/latest", "http://localhost/",
    "http://a.localhost/", "http://router/", "http://nas.local/", "http://nas.local./",
    "http://x.internal/", "http://x.home.arpa/", "http://%31%32%37.0.0.1/",
    "https://u:p@redpanda.club/", "https://u@redpanda.club/", "https://@redpanda.club/",
    "http://redpanda.club%40127.0.0.1/", "https:///x", "https:x", "https:", "panda://grove/7",
    "file:///etc/passwd", "javascript:alert(1)", "mailto:a@b.c", "--help", "/etc/passwd",
  ]

  @Test(arguments: publicOnes)
  func `an address of the public web is passed on as it is`(_ text: String) throws {
    let url = try #require(URL(string: text))
    let address = try #require(WebAddress(url))
    #expect(address.description.lowercased() == text.lowercased())
    #expect(address.description.hasPrefix("http"))
  }

  @Test(arguments: others)
  func `fault 113: a private address, or one with a password, is not passed on`(
    _ text: String
  ) throws {
    guard let url = URL(string: text) else { return }
    #expect(WebAddress(url) == nil)
  }

  @Test func `fault 113: a host that the user named as a source is passed on, without a password`()
    throws
  {
    let named = try ["http://192.168.0.1:8080/api", "http://nas.local/"].map {
      try #require(URL(string: $0))
    }
    func isPassedOn(_ text: String) throws -> Bool {
      let url = try #require(URL(string: text))
      return WebAddress(url, named: named) != nil
    }
    #expect(try isPassedOn("http://192.168.0.1:8080/pandas/1"))
    #expect(try isPassedOn("http://NAS.local/1"))
    #expect(!(try isPassedOn("http://192.168.0.1/pandas/1")))
    #expect(!(try isPassedOn("http://u:p@192.168.0.1:8080/")))
    #expect(!(try isPassedOn("http://192.168.0.2:8080/")))
  }
}
