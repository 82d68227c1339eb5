/** The settings as typed. Numbers are parsed when a message is sent. */
export interface TryDraft {
  temperature: string
  maxTokens: string
  seed: string
  system: string
  /** Null: the default tools. */
  tools: string | null
  /** Whether llama.cpp constrains calls to the schemas of their tools. */
  grammar: boolean
}

export const FIRST_DRAFT: TryDraft = { temperature: '0', maxTokens: '2048', seed: '42', system: '', tools: null, grammar: false }
