import Foundation
import Testing

@testable import Pantry

@Suite struct BaseDirectoriesTests {
  private func directories(_ environment: [String: String]) -> [String] {
    let account = URL(filePath: "/account", directoryHint: .isDirectory)
    let found = BaseDirectories(environment: environment, accountHome: account)
    return [found.home, found.data, found.caches, found.state, found.configuration].map {
      let path = $0.path(percentEncoded: false)
      return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
  }

  @Test func `HOME is the fallback for all other variables`() {
    #expect(
      directories(["HOME": "/h"]) == [
        "/h", "/h/.local/share", "/h/.cache", "/h/.local/state", "/h/.config",
      ])
    #expect(
      directories([
        "HOME": "/h", "XDG_DATA_HOME": "/d", "XDG_CACHE_HOME": "/c", "XDG_STATE_HOME": "/s",
        "XDG_CONFIG_HOME": "/o",
      ]) == ["/h", "/d", "/c", "/s", "/o"])
  }

  @Test(arguments: [nil, "", "relative"])
  func `a relative HOME is replaced by the user database's`(_ home: String?) {
    var environment = ["XDG_DATA_HOME": "", "XDG_STATE_HOME": "relative"]
    environment["HOME"] = home
    #expect(
      directories(environment) == [
        "/account", "/account/.local/share", "/account/.cache", "/account/.local/state",
        "/account/.config",
      ])
  }
}
