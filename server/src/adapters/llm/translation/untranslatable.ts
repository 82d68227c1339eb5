/** A request that another API has no words for. Its message is a sentence about what cannot be said there. */
export class Untranslatable extends Error {
  /** `thread`: it has only the newest messages of a conversation, and the client can send them all. */
  readonly kind: 'content' | 'thread' | 'shape'
  constructor(message: string, kind: 'content' | 'thread' | 'shape' = 'content') {
    super(message)
    this.kind = kind
  }
}
