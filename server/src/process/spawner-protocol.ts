/** What the spawner and the process that uses it tell each other, a JSON line each. */
export interface SpawnerRequest {
  id: number
  start?: StartRequest
  /** Sent to the whole group, unless its leader has ended. */
  signal?: NodeJS.Signals
}

export interface StartRequest {
  program: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  user: { uid: number; gid: number } | null
  /** A number is a descriptor of the process that asks: a file that may be read and written, or a terminal. */
  stdio: readonly (number | 'ignore' | 'pipe')[]
  /** The beginning of each connection, followed by two digits: the descriptor. */
  token: string
  leavesOthers: boolean
}

/** One of them: it runs, it could not be started, it has ended. */
export interface SpawnerAnswer {
  id: number
  pid?: number
  error?: { code: string | null; message: string }
  exit?: { code: number | null; signal: NodeJS.Signals | null }
}

export const TOKEN_LENGTH = 32
