/** As they are typed: a number is read when it is sent. */
export interface TryDraft {
  temperature: string
  maxTokens: string
  seed: string
  system: string
  /** Null: those that are offered first. */
  tools: string | null
}

export const FIRST_DRAFT: TryDraft = { temperature: '0', maxTokens: '512', seed: '42', system: '', tools: null }
