import Foundation
import PandaTestSupport
import Testing

/// The program on a disk without a free byte.
@Suite struct FullHomeTests {
  @Test(.enabled(if: PrivateMounts.areAllowed))
  func `fault 40: with no byte free, removing may be refused, and nothing is lost`()
    throws
  {
    let home = TemporaryDirectory()
    let (isWell, output) = PrivateMounts.run(
      """
      mount -t tmpfs -o size=8m tmpfs "$1"
      export HOME="$1" PATH=/usr/bin:/bin LC_ALL=C.UTF-8
      unset XDG_DATA_HOME XDG_CACHE_HOME XDG_CONFIG_HOME XDG_STATE_HOME
      panda() { "$program" --source grove "$@"; }
      program=$2
      printf 'favorite\\nfetch\\nfavorite\\nfetch\\nfavorite\\n' | panda --plain >/dev/null
      head -c 9m /dev/zero > "$1/filler" || true
      cat /dev/zero >> "$1/filler" || true
      df --output=avail "$1" | tail -1
      panda remove --all 2>&1 && echo removed || echo "status $?"
      panda list 2>/dev/null | wc -l
      panda doctor --check >/dev/null && echo "check 0"
      rm "$1/filler"
      panda remove --all >/dev/null 2>&1 && echo removed
      """,
      [home.url.path, try BuildProducts.path(of: "panda")], withErrors: true)
    let lines = output.split(separator: "\n").filter { !$0.contains("No space left") }
    #expect(
      lines.map { $0.trimmingCharacters(in: .whitespaces) }
        == [
          "0", "panda: Not removed: The disk is full.", "status 4", "3", "check 0", "removed",
        ], "\(output)")
    #expect(isWell)
  }
}
