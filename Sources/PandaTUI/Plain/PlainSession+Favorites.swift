internal import PandaCore
internal import Pantry
internal import TerminalKit

/// Actions on favorites.
extension PlainSession {
  /// Makes the picture a favorite.
  func favorite() async {
    guard isReadable() else { return }
    guard let image else { return refuse(.noPicture) }
    // What was named only has not been looked at yet.
    if look == nil { look = await PictureLook.look(at: image.dataRepresentation, with: decoder) }
    let outcome = await controller.favorite(image, isDamaged: look?.isDamaged == true)
    tell(outcome) { "\($0). You have \(controller.images.count)" }
  }

  /// Moves a favorite to the trash.
  ///
  /// - Parameter number: its number in the last list; nil for the picture described last.
  func remove(_ number: Int?) async {
    guard await load() else { return }
    let wanted: RemoteImage
    if let number {
      guard let (numbered, isTrash) = numbered(number) else { return }
      guard !isTrash else { return refuse(.isInTrash) }
      wanted = numbered
    } else {
      guard let image else { return refuse(.noPicture) }
      wanted = image
    }
    guard controller.isSaved(wanted) else { return refuse(.isNotFavorite) }
    tell(await controller.remove([wanted])) { wanted.name + ": " + $0.inMidSentence }
  }

  /// Restores the picture with this number in the list of the trash.
  func restore(_ number: Int) async {
    guard await load() else { return }
    guard let (image, isTrash) = numbered(number) else { return }
    guard isTrash else {
      return refuse(
        "The last list was of favorites. \(PlainWord.trash) lists what can be restored.")
    }
    guard let entry = controller.library.trashed(image.id), !controller.isSaved(image) else {
      return refuse(.hasLeftTrash)
    }
    tell(await controller.restore([entry])) { image.name + ": " + $0.inMidSentence }
  }

  /// Writes a caption under the favorite; an empty one removes it.
  func setCaption(_ text: String) async {
    guard isReadable() else { return }
    guard let image else { return refuse(.noPicture) }
    tell(await controller.setCaption(text, of: [image]))
  }

  /// Sets the tags of the favorite; an empty text removes them.
  func setTags(_ text: String) async {
    guard isReadable() else { return }
    guard let image else { return refuse(.noPicture) }
    tell(await controller.setTags(text, of: image))
  }

  func undo() async {
    guard isReadable() else { return }
    tell(await controller.undo())
  }

  func redo() async {
    guard isReadable() else { return }
    tell(await controller.redo())
  }
}

extension String {
  /// The sentence as it follows a colon.
  fileprivate var inMidSentence: String { prefix(1).lowercased() + dropFirst() }
}
