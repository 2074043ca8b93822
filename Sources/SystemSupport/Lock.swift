#if THREAD_SANITIZER
  internal import Glibc

  /// A value that one thread at a time may touch, behind a pthread mutex.
  ///
  /// ThreadSanitizer understands a pthread mutex, but not the futex in `Synchronization.Mutex`
  /// (Swift 6.3 on Linux): it reports a race wherever two threads have waited for each other.
  /// `make tsan` builds this type, so that no such report has to be suppressed.
  package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
    private let value: UnsafeMutablePointer<Value>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    package init(_ value: consuming sending Value) {
      self.value = .allocate(capacity: 1)
      self.value.initialize(to: value)
      mutex = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Calls `body` with the value while no other thread has it.
    ///
    /// Calling it again from `body` deadlocks.
    ///
    /// - Throws: what `body` throws.
    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#else
  package import Synchronization

  /// A value that one thread at a time may touch, behind the standard library's lock.
  ///
  /// There is another under ThreadSanitizer, which does not see that one. Inlinable, since the
  /// generic code costs more than the lock.
  package struct Lock<Value: ~Copyable>: ~Copyable, Sendable {
    @usableFromInline package let mutex: Mutex<Value>

    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls `body` with the value while no other thread has it.
    ///
    /// Calling it again from `body` deadlocks.
    ///
    /// - Throws: what `body` throws.
    @inlinable package borrowing func withLock<Result: ~Copyable, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      try mutex.withLock(body)
    }
  }
#endif
