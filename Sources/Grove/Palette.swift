/// The colors of a coat in the light of the scene.
struct Coat: Sendable {
  let rust: Color
  let ginger: Color
  let deep: Color
  let tear: Color
  let white: Color
  let cream: Color
  let dark: Color
  let black: Color
  let pink: Color

  /// Creates a coat from ginger (hue 0) to brick red (hue 1), seen in `light`.
  init(hue: Double, light: Color) {
    rust = Color(0xCF5B1C).mixed(with: Color(0xB23A18), hue).lit(by: light)
    ginger = Color(0xEE8D3D).mixed(with: Color(0xD9652B), hue).lit(by: light)
    deep = Color(0x963812).mixed(with: Color(0x7E2410), hue).lit(by: light)
    tear = Color(0x8A2F10).mixed(with: Color(0x701F0E), hue).lit(by: light)
    white = Color(0xFFF9EF).lit(by: light.lighter(0.35))
    cream = Color(0xF3D9B0).lit(by: light.lighter(0.2))
    dark = Color(0x3A1E17).lit(by: light.lighter(0.3))
    black = Color(0x1B1112)
    pink = Color(0xF2808A).lit(by: light)
  }
}

struct Palette: Sendable {
  let skyTop: Color
  let skyMiddle: Color
  let skyBottom: Color
  let hills: [Color]
  /// The bamboo's colors, from far to near.
  let bamboo: [Color]
  let leaf: Color
  let ground: Color
  let wood: Color
  /// The appearance of white on the panda.
  let light: Color
  /// The soft light behind the panda.
  let halo: Color

  /// Creates the colors of a setting; `shift` (0 to 1) varies them slightly.
  init(_ setting: Setting, shift: Double) {
    func between(_ first: UInt32, _ second: UInt32) -> Color {
      Color(first).mixed(with: Color(second), shift)
    }
    switch setting {
    case .morning:
      skyTop = between(0x8CC7B8, 0x9CC9D8)
      skyMiddle = between(0xB2DAAE, 0xC2DFBB)
      skyBottom = between(0xEFEBB0, 0xF6E3AE)
      hills = [Color(0x9CCB9D), Color(0x78B184)]
      bamboo = [Color(0x93C592), Color(0x67A86C), Color(0x3F8A4D)]
      leaf = Color(0x3F8D4B)
      ground = Color(0x5E9A55)
      wood = Color(0x7B5A42)
      light = Color(0xFFF8EC)
      halo = Color(0xFFFBE0, alpha: 0.45)
    case .noon:
      skyTop = between(0x3FA7D6, 0x57B8C9)
      skyMiddle = between(0x8FD3E0, 0xA3DCCB)
      skyBottom = between(0xD7F0C8, 0xE3F3BE)
      hills = [Color(0x8CC98A), Color(0x5FAE6A)]
      bamboo = [Color(0x86C58A), Color(0x57A860), Color(0x2F8446)]
      leaf = Color(0x2B7A3C)
      ground = Color(0x4B9A48)
      wood = Color(0x80583A)
      light = Color(0xFFFFFF)
      halo = Color(0xF6FFE0, alpha: 0.65)
    case .dusk:
      skyTop = between(0x3B2E6B, 0x4A2A5E)
      skyMiddle = between(0xB0568B, 0xC0607A)
      skyBottom = between(0xFFB88A, 0xFFC98E)
      hills = [Color(0x8B4A80), Color(0x5D3567)]
      bamboo = [Color(0x87518A), Color(0x54386E), Color(0x33264F)]
      leaf = Color(0x2C2A50)
      ground = Color(0x33264F)
      wood = Color(0x4A3040)
      light = Color(0xFFEBDD)
      halo = Color(0xFFD9B8, alpha: 0.65)
    case .night:
      skyTop = between(0x0A1238, 0x101036)
      skyMiddle = between(0x16305F, 0x1E2E66)
      skyBottom = between(0x2C5A7C, 0x33578A)
      hills = [Color(0x1B3C63), Color(0x122B4C)]
      bamboo = [Color(0x24527A), Color(0x1B4460), Color(0x12343F)]
      leaf = Color(0x0F3A40)
      ground = Color(0x10293C)
      wood = Color(0x3A3344)
      light = Color(0xE3E6FA)
      halo = Color(0x7FB4DC, alpha: 0.5)
    case .snow:
      skyTop = between(0x5E7FA6, 0x6A7FB0)
      skyMiddle = between(0x8FAECB, 0x9AB0D2)
      skyBottom = between(0xC6D9E8, 0xCFD8EC)
      hills = [Color(0x9DB8D0), Color(0x86A4BF)]
      bamboo = [Color(0x86A9AE), Color(0x5F8D86), Color(0x3C6E5E)]
      leaf = Color(0x356A58)
      ground = Color(0xEAF2FA)
      wood = Color(0x5C4A48)
      light = Color(0xFBFCFF)
      halo = Color(0xBFD6EC, alpha: 0.4)
    case .autumn:
      skyTop = between(0x5FA3A3, 0x7BA6AF)
      skyMiddle = between(0x9FC0A6, 0xADC3AC)
      skyBottom = between(0xEFD795, 0xEBCF8E)
      hills = [Color(0xC9BE7F), Color(0x9FA267)]
      bamboo = [Color(0xB3BC83), Color(0x8AA060), Color(0x5E8248)]
      leaf = Color(0x6C8A3C)
      ground = Color(0x8C8A45)
      wood = Color(0x6E4A34)
      light = Color(0xFFF4E4)
      halo = Color(0xFFF3CC, alpha: 0.45)
    }
  }
}
