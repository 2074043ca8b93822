import Foundation
import Pantry
import Testing

@testable import PandaCore

@Suite struct RemoteImageTests {
  private func image(_ url: URL) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSinceReferenceDate: 1), url: url, width: 4, height: 3,
      dataRepresentation: Attachment(Data([1, 2, 3])), source: "test", tags: ["cute"])
  }

  @Test(arguments: [
    "https://redpanda.club/a/b.jpg?size=3&name=%C3%A9#top", "panda://grove/17", "file:///tmp/a%20b",
    "http://[::1]:8080/", "https://xn--bcher-kva.example/", "data:,x",
  ])
  func `a picture's address is kept as written`(_ text: String) throws {
    let url = try #require(URL(string: text))
    let image = image(url)
    #expect(image.id == url.absoluteString)
    #expect(image.url == url)
    let json = try JSONEncoder().encode(image)
    let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    #expect(object?["url"] as? String == text)
    #expect(object?["id"] == nil)
    #expect(try JSONDecoder().decode(RemoteImage.self, from: json) == image)
  }

  @Test func `the page about a picture is kept, and one saved before there were pages has none`()
    throws
  {
    let page = try #require(URL(string: "https://commons.wikimedia.org/wiki/File:Wah_(1).jpg"))
    let image = RemoteImage(
      createdAt: Date(timeIntervalSinceReferenceDate: 1), url: page, width: 4, height: 3,
      dataRepresentation: Attachment(Data([1])), source: "test", page: page)
    let json = try JSONEncoder().encode(image)
    var object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["page"] as? String == page.absoluteString)
    #expect(try JSONDecoder().decode(RemoteImage.self, from: json).page == page)
    object["page"] = nil
    let former = try JSONDecoder().decode(
      RemoteImage.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(former.page == nil && former.id == image.id)
  }

  @Test func `a picture with an invalid address is not decoded`() throws {
    let json = try JSONEncoder().encode(image(URL(string: "panda://grove/17")!))
    let broken = String(decoding: json, as: UTF8.self)
      .replacing("panda:\\/\\/grove\\/17", with: "http://[")
    #expect(broken.contains("http://["))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(RemoteImage.self, from: Data(broken.utf8))
    }
  }
}
