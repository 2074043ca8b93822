public import SystemSupport

/// An error of the operating system, in words.
public typealias SystemError = SystemSupport.SystemError
