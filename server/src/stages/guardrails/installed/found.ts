import type { InstalledPart } from '#contracts/entities/installed.ts'

/** A part as it was found on the disk; its texts are not redacted yet. */
export type FoundPart = Pick<
  InstalledPart,
  | 'id'
  | 'kind'
  | 'name'
  | 'description'
  | 'scope'
  | 'project'
  | 'plugin'
  | 'file'
  | 'from'
  | 'enabled'
  | 'may'
  | 'problem'
  | 'modifiedAt'
  | 'installedAt'
> & { hash: string }

export interface FoundParts {
  parts: FoundPart[]
  problems: { file: string; message: string }[]
  projects: number
}

export interface InstalledInput {
  /** Folders of Claude Code, each with the files that may have its servers and projects. */
  profiles: readonly { folder: string; states: readonly string[] }[]
  /** Folders with the administrator's settings. */
  managed: readonly string[]
  /** Folders of captured sessions. */
  projects: readonly string[]
}
