/** What a step has to do with git: it made a commit, or does nothing but push, tag or look after one. */
export type GitRole = 'commit' | 'after'

/** A step of the main conversation, as the cutter needs it. */
export interface CutStep {
  kind: 'step'
  id: string
  seq: number
  at: number | null
  endedAt: number | null
  /** Calls with the same one were made at once and are never parted. */
  messageId: string | null
  cwd: string | null
  /** Root of the package, repository or folder that contains `cwd`; null when it could never be looked up. */
  scope: string | null
  file: string | null
  success: boolean | null
  git: GitRole | null
}

export interface CutPrompt {
  kind: 'prompt'
  id: string
}

export type CutItem = CutStep | CutPrompt
