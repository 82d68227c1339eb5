/** Finds an agent's program on this machine, its version, and how to start it in a sandbox. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { runToEnd } from '#server/process/run-to-end.ts'
import { isExecutable, isFile } from '../tools/files.ts'
import { findProgram } from '../tools/find-program.ts'
import { type AgentKind, CLAUDE_CODE } from './kinds.ts'
import { type AgentProgram, agentProgram } from './program.ts'

export { type AgentKind, CLAUDE_CODE, CODEX, OPENCODE } from './kinds.ts'
export type { AgentProgram } from './program.ts'
export { readableCopy, removeOldCopies } from './readable-copy.ts'

export interface AgentCli {
  kind: AgentKind
  /** Null if the program is missing or prints no version. Cached until the program file changes. */
  version(): Promise<string | null>
  /** A text says why the agent cannot be started in a sandbox. */
  program(): AgentProgram | string
}

export interface AgentPlaces {
  /** Set by the user (such as CLAUDE_BIN); no other path is then used. */
  bin: string | null
  /** The PATH to search first; it is often short for a program started from a desktop, so common folders follow. */
  path: string
  userHome: string
}

/** `claude --version` takes less than a second; the limit keeps Settings usable if a client hangs. */
const TIMEOUT_MS = 10_000
const GRACE_MS = 800

export function createAgentCli(kind: AgentKind, places: AgentPlaces): AgentCli {
  const versions = new Map<string, Promise<string | null>>()
  return {
    kind,
    version() {
      const bin = findAgent(kind, places)
      if (bin === null) return Promise.resolve(null)
      const { mtimeMs, size } = statSync(bin)
      const key = `${bin}\0${mtimeMs}\0${size}`
      const asked = versions.get(key) ?? askVersion(bin, places)
      versions.set(key, asked)
      return asked.then((version) => {
        if (version === null) versions.delete(key) // the failure may be temporary, such as on a busy machine
        return version
      })
    },
    program() {
      const bin = findAgent(kind, places)
      return bin === null ? `${kind.name} was not found. Install it, or set ${kind.variable} to its program.` : agentProgram(kind, bin)
    },
  }
}

export const createClaudeCli = ({ claudeBin, ...places }: Omit<AgentPlaces, 'bin'> & { claudeBin: string | null }): AgentCli =>
  createAgentCli(CLAUDE_CODE, { ...places, bin: claudeBin })

/** The program that the user set; otherwise the first on PATH or in the folders of the installers. */
export function findAgent({ command, homeFolders }: AgentKind, { bin, path: searched, userHome }: AgentPlaces): string | null {
  if (bin !== null) return path.isAbsolute(bin) ? (isFile(bin) ? bin : null) : findProgram(bin, searched)
  const folders = [
    ...searched.split(path.delimiter).filter((folder) => path.isAbsolute(folder)),
    ...homeFolders.map((folder) => path.join(userHome, folder)),
    path.dirname(process.execPath), // where `npm install -g` of this Node installs programs
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  return folders.map((folder) => path.join(folder, command)).find(isExecutable) ?? null
}

async function askVersion(bin: string, { path: searched, userHome }: AgentPlaces): Promise<string | null> {
  // Clients before 2.1.113 may be given as their cli.js, which Node runs.
  const [command, args] = /\.[cm]?js$/.test(bin) ? [process.execPath, [bin, '--version']] : [bin, ['--version']]
  const result = await runToEnd({
    command,
    args,
    cwd: '/',
    env: {
      HOME: userHome,
      PATH: [searched, path.dirname(process.execPath)].filter((part) => part !== '').join(path.delimiter),
      DISABLE_AUTOUPDATER: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
    },
    deadlineMs: TIMEOUT_MS,
    graceMs: GRACE_MS,
  }).catch(() => null) // the file is not a program for this machine
  if (result?.code !== 0) return null
  return /\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(result.stdout)?.[0] ?? null
}
