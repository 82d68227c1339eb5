/** `commit`: the step made a commit. `after`: it only pushes, tags or looks at one. */
export type GitRole = 'commit' | 'after'

/** A step of the main conversation. */
export interface CutStep {
  kind: 'step'
  id: string
  seq: number
  at: number | null
  endedAt: number | null
  /** Calls with the same id belong to one response. */
  messageId: string | null
  cwd: string | null
  /** See `lookUpScope`. */
  scope: string | null
  file: string | null
  success: boolean | null
  git: GitRole | null
}

/** What began a turn: a prompt with what came along (a command and its text, `!` lines), or something else the model was given. */
export interface CutPrompt {
  kind: 'prompt'
  /** The prompt, else the last of them. */
  id: string
  /** The first of them. */
  from: string
}

export type CutItem = CutStep | CutPrompt
