/** A line of a unified diff with its numbers in the old and the new file. */
export type DiffLine =
  | { kind: 'context'; old: number; new: number; text: string }
  | { kind: 'removed'; old: number; new: null; text: string }
  | { kind: 'added'; old: null; new: number; text: string }

export interface DiffHunk {
  /** `@@ -12,5 +12,7 @@` */
  header: string
  lines: DiffLine[]
}

export interface FileDiff {
  file: string | null
  hunks: DiffHunk[]
  added: number
  removed: number
  /** False if made only from the call's input; line numbers then count from the start of the replaced text. */
  located: boolean
}
