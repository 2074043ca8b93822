import Foundation
import PandaTestSupport
import Pantry
import Testing

@testable import PandaTUI

@Suite struct FormerFavoritesTests {
  private let account = TemporaryDirectory()
  private let home = TemporaryDirectory()

  private func leaveFavorites(in home: TemporaryDirectory) throws {
    let folder = home.url.appending(path: ".local/share/panda")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("SQLite".utf8).write(to: folder.appending(path: "favorites.sqlite"))
  }

  private func find(
    _ environment: [String: String]? = nil, _ options: Options = Options()
  ) -> FormerFavorites? {
    FormerFavorites(
      options,
      directories: BaseDirectories(
        environment: environment ?? ["HOME": home.url.path], accountHome: account.url),
      accountHome: account.url)
  }

  @Test func `favorites in the account's home are found while HOME names another`() throws {
    #expect(find() == nil)
    try leaveFavorites(in: account)
    let former = try #require(find())
    let place = account.path(".local/share/panda")
    #expect(former.directory == place)
    #expect(former.sentence == "Earlier favorites: panda --data-dir \(place)")
    #expect(former.advice.contains("0.1.0") && former.advice.hasSuffix(" \(place)"))
  }

  @Test func `nothing is said where the place is the same, or was chosen`() throws {
    try leaveFavorites(in: account)
    #expect(find([:]) == nil)
    #expect(find(["HOME": account.url.path]) == nil)
    #expect(find(["HOME": account.url.path + "/."]) == nil)
    #expect(find(["HOME": home.url.path, "XDG_DATA_HOME": "/data"]) == nil)
    #expect(find(nil, Options(dataDirectory: "elsewhere")) == nil)
    let link = home.url.appending(path: "link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: account.url)
    #expect(find(["HOME": link.path]) == nil)
  }

  @Test func `a directory that a shell would take apart is quoted`() throws {
    let odd = account.url.appending(path: "it's mine")
    let folder = odd.appending(path: ".local/share/panda")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("SQLite".utf8).write(to: folder.appending(path: "favorites.sqlite"))
    let former = try #require(
      FormerFavorites(
        Options(),
        directories: BaseDirectories(environment: ["HOME": home.url.path], accountHome: odd),
        accountHome: odd))
    #expect(former.sentence.hasSuffix("/it'\\''s mine/.local/share/panda'"), "\(former.sentence)")
  }
}
