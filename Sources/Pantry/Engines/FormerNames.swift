/// The former protocol of engines with other writers.
@available(*, deprecated, renamed: "StorageEngine")
public typealias LiveStorage = StorageEngine

/// The former protocol of engines that commit in several key spaces at once.
@available(*, deprecated, renamed: "StorageEngine")
public typealias JointStorage = StorageEngine

/// The former protocol of engines that record the type of their rows.
@available(*, deprecated, renamed: "StorageEngine")
public typealias TypedStorage = StorageEngine

/// The former protocol of engines whose rows can be read page by page.
@available(
  *, unavailable, renamed: "StorageEngine",
  message: "Declare the result of newestPage(limit:) as optional."
)
public typealias PagedStorage = StorageEngine

/// The former protocol of engines that keep attachments apart from the rows.
@available(
  *, unavailable, renamed: "StorageEngine", message: "Declare liveAttachments as optional."
)
public typealias AttachmentStorage = StorageEngine

/// The former name of ``RowType``.
@available(*, deprecated, renamed: "RowType")
public typealias StorageClaim = RowType

/// The former name of ``StorageLocation``.
@available(*, deprecated, renamed: "StorageLocation")
public typealias StorageKeySpace = StorageLocation

/// The former name of ``ReadSet``.
@available(*, deprecated, renamed: "ReadSet")
public typealias StorageBasis = ReadSet

/// The former name of ``AttachmentsInUse``.
@available(*, deprecated, renamed: "AttachmentsInUse")
public typealias LiveAttachments = AttachmentsInUse
