/** Why active work is stopped, as the reason of its signal: what becomes of it depends on this. */

/** The user ended it. */
export class Cancelled extends Error {
  override readonly name = 'AbortError'
}

/** The server ends: the work is kept, and goes on later. */
export class Closing extends Error {
  override readonly name = 'AbortError'
  constructor(message = 'The server is stopping.') {
    super(message)
  }
}
