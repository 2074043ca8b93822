import Foundation
import Testing

@testable import Grove
@testable import PictureCodecs

@Suite struct DominantColorsTests {
  /// Draws stripes of equal width, from left to right, of colors written 0xRRGGBB.
  private func stripes(_ colors: [UInt32], alpha: UInt8 = 255) -> Bitmap {
    let size = PixelSize(width: colors.count * 32, height: 32)
    var pixels: [UInt8] = []
    for _ in 0..<size.height {
      for column in 0..<size.width {
        let color = colors[column / 32]
        pixels += [16, 8, 0].map { UInt8(truncatingIfNeeded: color >> $0) } + [alpha]
      }
    }
    return Bitmap(size: size, pixels: pixels)
  }

  @Test(
    arguments: [
      (0xFF0000, "red"), (0x8B0000, "dark red"), (0x0000FF, "blue"), (0xFFFF00, "yellow"),
      (0x00FF00, "bright green"), (0x228B22, "green"), (0x0B3D0B, "dark green"),
      (0x556B2F, "olive green"), (0x00FFFF, "turquoise"), (0xFFA500, "orange"),
      (0xC9662B, "rust brown"), (0x7F4A1E, "brown"), (0x3A2214, "dark brown"), (0xFFF8E7, "cream"),
      (0xD2B48C, "beige"), (0xFFFFFF, "white"), (0xE8EEF6, "white"), (0xB8C2CC, "light gray"),
      (0x808080, "gray"), (0x505050, "dark gray"), (0x000000, "black"), (0x2B2B2B, "black"),
      (0x87CEEB, "sky blue"), (0x0F1A38, "dark blue"), (0x7A3FA0, "purple"),
      (0xFFC0CB, "pale pink"),
    ] as [(UInt32, String)])
  func `a plain picture has one color`(_ color: UInt32, _ name: String) {
    #expect(DominantColors(of: stripes([color])).names == [name])
  }

  @Test func `the middle comes first, and there are at most three`() {
    #expect(
      DominantColors(of: stripes([0x1E5A24, 0xB34C1E, 0xB34C1E, 0xB34C1E])).names
        == ["rust brown", "dark green"])
    let rainbow = DominantColors(of: stripes([0xFF0000, 0xFFFF00, 0x228B22, 0x0000FF, 0x7A3FA0]))
    #expect(rainbow.names.count == 3 && Set(rainbow.names).count == 3)
  }

  @Test func `light and shade of one color are one color`() {
    #expect(DominantColors(of: stripes([0x5E200C, 0xA8461A, 0x9A3E16])).names == ["rust brown"])
    #expect(DominantColors(of: stripes([0x1E4420, 0x2A5A2A, 0x3C8A3C])).names == ["dark green"])
  }

  @Test func `a sliver is not named, a panda before a gray sky is`() {
    var colors = [UInt32](repeating: 0xB8C0C8, count: 20)
    colors[19] = 0xFF0000
    #expect(DominantColors(of: stripes(colors)).names == ["light gray"])
    colors = [0xB8C0C8, 0xB8C0C8, 0xA8461A, 0xB8C0C8, 0xB8C0C8]
    #expect(Set(DominantColors(of: stripes(colors)).names) == ["light gray", "rust brown"])
  }

  @Test func `a transparent picture has no color`() {
    #expect(DominantColors(of: stripes([0xFF0000], alpha: 0)).names == [])
    let nothing = Bitmap(size: PixelSize(width: 0, height: 0), pixels: [])
    #expect(DominantColors(of: nothing).names == [])
    #expect(DominantColors(of: stripes([0xFF0000], alpha: 40)).names == ["red"])
  }

  @Test func `the grove has the colors of its red pandas and its weather`() {
    var sets: [Setting: Set<String>] = [:]
    var rusty = 0
    let count: UInt64 = 24
    for seed in 0..<count {
      var generator = SeededGenerator(seed: seed)
      let recipe = Recipe(from: &generator)
      let drawing = BambooGrove.drawing(seed: seed, size: PixelSize(width: 128, height: 96))
      let colors = DominantColors(of: drawing.bitmap)
      #expect(colors == DominantColors(of: drawing.bitmap))
      #expect((1...3).contains(colors.names.count))
      sets[recipe.setting, default: []].formUnion(colors.names.prefix(1))
      if colors.names.contains(where: { $0.contains("rust") || $0.contains("brown") }) {
        rusty += 1
      }
    }
    #expect(rusty == Int(count))
    func mostly(_ setting: Setting, _ words: [String]) -> Bool {
      (sets[setting] ?? []).allSatisfy { name in words.contains { name.contains($0) } }
    }
    #expect(mostly(.snow, ["blue", "rust"]), "\(sets)")
    #expect(mostly(.night, ["dark blue", "rust"]), "\(sets)")
    #expect(mostly(.morning, ["green", "rust"]), "\(sets)")
    #expect(mostly(.dusk, ["mauve", "purple", "rust"]), "\(sets)")
  }

  private static let photos = "/work/shared/photos"

  @Test(.enabled(if: FileManager.default.fileExists(atPath: photos)))
  func `a photo of a red panda among leaves is rust brown and green`() async throws {
    let path = "\(Self.photos)/red-panda-portrait-small.jpg"
    let data = try Data(contentsOf: URL(filePath: path))
    let decoded = try await PictureDecoder().decode(
      data, covering: PixelSize(width: 96, height: 96))
    let names = DominantColors(of: decoded.bitmap).names
    #expect(names.contains("rust brown"), "\(names)")
    #expect(names.contains { $0.contains("green") }, "\(names)")
  }
}
