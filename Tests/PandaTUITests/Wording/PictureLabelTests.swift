import Foundation
import PandaCore
import Pantry
import Testing

@testable import PandaTUI
@testable import TerminalKit

@Suite struct PictureLabelTests {
  /// Titles in the forms of the services, cameras and albums, and their labels in 24 columns.
  private static let titles: [(title: String, label: String)] = [
    // Wikimedia Commons
    ("File:Red Panda (1).jpg", ""),
    ("File:Red Panda (24986761703).jpg", ""),
    ("File:Ailurus fulgens at Zoo Duisburg 1.jpg", "at Zoo Duisburg 1"),
    ("Ailurus fulgens RoterPanda LesserPanda", "RoterPanda LesserPanda"),
    ("Red Panda in Gangtok Zoo", "in Gangtok Zoo"),
    ("Kleiner Panda Zoo Dresden 2019", "Zoo Dresden 2019"),
    ("Roter Panda (Ailurus fulgens), Tierpark Berlin", "Tierpark Berlin"),
    ("Petit panda - Ailurus fulgens", ""),
    ("Panda rojo (Ailurus fulgens) en el zoo", "en el zoo"),
    ("Panda roux au zoo de Beauval", "au zoo de Beauval"),
    ("Ailurus fulgens fulgens - Karlsruhe Zoo 01", "Karlsruhe Zoo 01"),
    ("Ailurus styani eating bamboo", "eating bamboo"),
    ("Ailurus fulgens styani, Chengdu", "Chengdu"),
    ("Red-panda-eating-apple.jpeg", "eating apple"),
    ("Red_panda_(Ailurus_fulgens)_climbing.png", "climbing"),
    ("Two Red Pandas at play", "Two at play"),
    ("Portrait of a Red Panda in winter", "Portrait in winter"),
    ("RedPanda 4080.jpg", ""),
    ("1280px-RedPandaFullBody.JPG", "RedPandaFullBody"),
    ("Cropped Red Panda's face.tif", "Cropped face"),
    ("Red Panda, Wellington Zoo, New Zealand", "Wellington Zoo, New…"),
    ("Lesser panda - Ueno Zoo - 3", "Ueno Zoo - 3"),
    ("Zoo Wrocław - Kleiner Panda - 2", "Zoo Wrocław - 2"),
    ("レッサーパンダ（円山動物園）", "レッサーパンダ（円山動…"),
    // iNaturalist: places
    ("Singalila National Park, Darjeeling, IN", "Singalila National…"),
    ("Ilam, Nepal", "Ilam, Nepal"),
    ("Sichuan, CN", "Sichuan, CN"),
    ("Langtang", "Langtang"),
    ("Pangolakha Wildlife Sanctuary", "Pangolakha Wildlife…"),
    ("Red Panda (Ailurus fulgens)", ""),
    ("West Sikkim, Sikkim, India", "West Sikkim, Sikkim…"),
    ("Eaglenest, Arunachal Pradesh", "Eaglenest, Arunachal…"),
    // Openverse and Flickr
    ("Red Panda", ""),
    ("red panda", ""),
    ("RED PANDA!", ""),
    ("Red Panda 12", ""),
    ("Red Panda #3", ""),
    ("24986761703_3f2b1a7c0d_o", ""),
    ("Sleepy red panda", "Sleepy"),
    ("The red panda is asleep", "asleep"),
    ("Red panda and cub", "cub"),
    ("Mei, the red panda", "Mei"),
    ("Red Panda @ San Diego Zoo", "San Diego Zoo"),
    ("redpanda", ""),
    ("Red Panda yawning (explored)", "yawning (explored)"),
    ("Up in the tree, red panda style", "Up in the tree, style"),
    ("My favorite: Ailurus fulgens", "My favorite"),
    ("Supercalifragilisticexpialidocious", "Supercalifragilisticexp…"),
    // Cameras and phones
    ("DSC_0123.jpg", ""),
    ("DSC01234", ""),
    ("IMG_20190812_142233.jpg", ""),
    ("IMG-20200101-WA0003", ""),
    ("P1010123.JPG", ""),
    ("_MG_4711", ""),
    ("PXL_20230501_101112345", ""),
    ("100_1234.jpg", ""),
    ("DSC_2019 Red Panda Zoo Berlin", "Zoo Berlin"),
    ("IMG 1234 red panda on branch", "on branch"),
    ("Mei_1280x720.webp", "Mei"),
    // The grove, today's titles and those of 0.2.0
    ("dozing in snow", "dozing in snow"),
    ("A red panda with its arms up in the moonlight", "with its arms…"),
    ("", ""), (" ", ""),
  ]

  private func image(_ title: String?, caption: String? = nil) -> RemoteImage {
    RemoteImage(
      createdAt: Date(timeIntervalSince1970: 0), url: URL(string: "https://x/1")!, width: 4,
      height: 3, dataRepresentation: Attachment(Data()), source: "Commons", title: title,
      credit: "Ada", caption: caption)
  }

  @Test func `a label is what not every title says, cut at a word`() {
    #expect(Self.titles.count >= 60)
    for (title, label) in Self.titles {
      #expect([image(title)].labels(upTo: 24) == [label], "\(title)")
    }
    for columns in 0..<40 {
      let labels = Self.titles.map { image($0.title) }.labels(upTo: columns)
      #expect(labels.allSatisfy { $0.columns <= columns && (columns >= 16 || $0.isEmpty) })
    }
  }

  @Test(arguments: [
    (["Red panda at Zoo Duisburg 1", "Red panda at Zoo Duisburg 2"], ["at Zoo… 1", "at Zoo… 2"]),
    (["Zoo Berlin DSC_0123", "Zoo Berlin DSC_0124"], ["Zoo Berlin 0123", "Zoo Berlin 0124"]),
    (
      ["Red panda climbing a tall tree eating", "Red panda climbing a tall tree asleep"],
      ["climbing… eating", "climbing… asleep"]
    ),
    (["Zoo (24986761703)", "Zoo (24986761704)"], ["Zoo", "Zoo"]),
    (["Mei", "Mei"], ["Mei", "Mei"]),
    (["Mei, the red panda", "Mei"], ["Mei", "Mei"]), (["DSC_0123", "DSC_0124"], ["", ""]),
    (["Mei 1", "Ling 1"], ["Mei 1", "Ling 1"]),
  ])
  func `two that would be equal end with what differs`(_ titles: [String], _ labels: [String]) {
    #expect(titles.map { image($0) }.labels(upTo: 16) == labels)
  }

  @Test func `a caption is the user's own, and an author is no label`() {
    #expect([image("Snow", caption: "Red panda 12")].labels(upTo: 16) == ["Red panda 12"])
    #expect([image("Snow", caption: " ")].labels(upTo: 16) == ["Snow"])
    #expect([image(nil)].labels(upTo: 40) == [""])
  }
}
