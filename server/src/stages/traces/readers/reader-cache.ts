import type { Reader } from './reader.ts'

/** The most recently used readers, bounded by their number and total size. */
export class ReaderCache {
  private readonly readers = new Map<string, Reader>()
  private readonly limits: { readers: number; entries: number }

  constructor(limits: { readers: number; entries: number }) {
    this.limits = limits
  }

  /** Removes the reader from the cache, so that a reader that fails is not used again. */
  take(key: string): Reader | undefined {
    const reader = this.readers.get(key)
    this.readers.delete(key)
    return reader
  }

  put(key: string, reader: Reader): void {
    this.readers.set(key, reader)
    let entries = 0
    for (const one of this.readers.values()) entries += one.size
    for (const [oldest, one] of this.readers) {
      if (this.readers.size <= this.limits.readers && entries <= this.limits.entries) return
      this.readers.delete(oldest)
      entries -= one.size
    }
  }
}
