/** As they are typed: a number is read when it is sent. */
export interface TryDraft {
  temperature: string
  maxTokens: string
  seed: string
  system: string
  /** Null: those that are offered first. */
  tools: string | null
  /** llama.cpp constrains calls to the schemas of their tools. */
  grammar: boolean
}

export const FIRST_DRAFT: TryDraft = { temperature: '0', maxTokens: '2048', seed: '42', system: '', tools: null, grammar: false }
