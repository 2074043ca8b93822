public import SystemSupport

/// A failed system call on a file or a directory.
public typealias FileError = SystemSupport.FileError

/// The former name of ``FileError``.
@available(*, deprecated, renamed: "FileError")
public typealias DiskError = FileError
