internal import Pantry
internal import PictureCodecs

/// The progress of an export, an import or a backup.
package struct ExchangeProgress: Equatable, Sendable {
  package let done: Int
  package let total: Int

  package init(done: Int, total: Int) {
    self.done = done
    self.total = total
  }
}

package struct ExportReport: Equatable, Sendable {
  package internal(set) var count = 0
  /// The number of pictures written: in a directory, those that were not there yet.
  package internal(set) var written = 0
  /// The identifiers of favorites that are not in it: their bytes are missing, or are no picture.
  package internal(set) var unreadable: [String] = []
  /// The identifiers of favorites that are not in a site, since they are not openly licensed.
  package internal(set) var leftOut: [String] = []
  /// The identifiers of favorites that were encoded again, as their files cannot be stripped.
  package internal(set) var encodedAgain: [String] = []
  /// The number of files that say more than the picture, such as place, camera and owner.
  package internal(set) var withMetadata = 0

  /// Records a picture that cannot be read; throws the error if the others cannot be saved either.
  mutating func leaveOut(_ image: RemoteImage, _ error: any Error) throws {
    switch error {
    case is PictureError, StorageError.attachmentMissing, StorageError.attachmentDamaged:
      unreadable.append(image.id)
    default: throw error
    }
  }
}

package struct ImportReport: Equatable, Sendable {
  /// The number of new favorites.
  package internal(set) var added = 0
  /// The number of those that were favorites already, which were left as they are.
  package internal(set) var known = 0
  /// The number of those that were left out because they are in the trash.
  package internal(set) var trashed = 0
  /// The numbers of favorites that have another caption, or other tags, in the export.
  package internal(set) var otherCaptions = 0
  package internal(set) var otherTags = 0
  /// The number of new collections.
  package internal(set) var collections = 0
}

package struct BackupReport: Equatable, Sendable {
  package internal(set) var count = 0
  /// The number of favorites whose bytes are missing or damaged, there as well as here.
  package internal(set) var unreadable = 0
  /// The number of other pictures that are missing or damaged: those of trash and history.
  package internal(set) var unreadableElsewhere = 0
}
