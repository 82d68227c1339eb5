/** The Claude Code program on this machine: where it is, which version. */
import { statSync } from 'node:fs'
import path from 'node:path'
import { runToEnd } from '#server/process/run-to-end.ts'
import { isExecutable, isFile } from '../tools/files.ts'
import { type ClaudeProgram, claudeProgram } from './program.ts'

export type { ClaudeProgram } from './program.ts'
export { readableCopy } from './readable-copy.ts'

export interface ClaudeCli {
  /** Null: no client was found, or it did not say. Asked again only when the program file has changed. */
  version(): Promise<string | null>
  /** Text: why it cannot be started in a sandbox. */
  program(): ClaudeProgram | string
}

export interface ClaudePlaces {
  /** Set by the user (CLAUDE_BIN): wins over every other place. */
  claudeBin: string | null
  /** The PATH to search; a program started from a desktop often has a short one, so known places follow. */
  path: string
  userHome: string
}

/** `claude --version` takes under a second; a client that hangs must not hang Settings. */
const TIMEOUT_MS = 10_000
const GRACE_MS = 800

export function createClaudeCli(places: ClaudePlaces): ClaudeCli {
  const known = new Map<string, Promise<string | null>>()
  return {
    version() {
      const bin = findClaude(places)
      if (bin === null) return Promise.resolve(null)
      const { mtimeMs, size } = statSync(bin)
      const key = `${bin}\0${mtimeMs}\0${size}`
      const asked = known.get(key) ?? askVersion(bin, places)
      known.set(key, asked)
      return asked.then((version) => {
        if (version === null) known.delete(key) // a busy machine is no reason to believe it for ever
        return version
      })
    },
    program() {
      const bin = findClaude(places)
      return bin === null ? 'Claude Code was not found. Install it, or set CLAUDE_BIN to its program.' : claudeProgram(bin)
    },
  }
}

/** The first executable of: the user's own setting, PATH, the places where the installers put it. */
export function findClaude({ claudeBin, path: searched, userHome }: ClaudePlaces): string | null {
  if (claudeBin !== null) return isFile(claudeBin) ? claudeBin : null
  const folders = [
    ...searched.split(path.delimiter).filter((folder) => folder !== ''),
    path.join(userHome, '.local', 'bin'),
    path.join(userHome, '.claude', 'local'),
    path.join(userHome, '.npm-global', 'bin'),
    path.dirname(process.execPath), // `npm install -g` of the Node that runs this
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  return folders.map((folder) => path.join(folder, 'claude')).find(isExecutable) ?? null
}

async function askVersion(bin: string, { path: searched, userHome }: ClaudePlaces): Promise<string | null> {
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
    },
    deadlineMs: TIMEOUT_MS,
    graceMs: GRACE_MS,
  }).catch(() => null) // it is no program of this machine
  if (result?.code !== 0) return null
  return /\d{1,9}\.\d{1,9}\.\d{1,9}/.exec(result.stdout)?.[0] ?? null
}
