/** Raised when a reader finds more in the same bytes: sessions archived before are then read again. */
export const READER_VERSION = 2
