import fs from 'node:fs'
import path from 'node:path'
import { howEnded, runToEnd } from '#server/process/run-to-end.ts'
import type { AgentProgram } from '../program.ts'
import { OFFLINE } from '../offline.ts'
import { openCanaryApi } from './api.ts'
import { decidingSettings } from './settings.ts'

export interface CanaryOptions {
  program: AgentProgram
  /** The settings of the user's client; they are read. */
  settingsFile: string
  /** A new folder of ours, which the caller removes. */
  folder: string
  path: string
  /** Ends the client. */
  signal: AbortSignal
}

export interface CanaryResult {
  /** Whether the client asked for an answer, whether it ran the command, and what it told the model about it. */
  asked: boolean
  ran: boolean
  result: string | null
  /** How the client ended, as a clause. */
  ended: string
}

const DEADLINE_MS = 60_000
const GRACE_MS = 800
const MAX_FILE = 1024 * 1024

/**
 * Starts the user's Claude Code with their plugins, and answers it with a harmless command that the guard must refuse. It has
 * a configuration of its own without a key, an address on this machine as its API, and a proxy for all others that is not
 * there, so nothing is sent to a provider and no session is stored. Throws if the settings cannot be read.
 */
export async function runCanary({ program, settingsFile, folder, path: searched, signal }: CanaryOptions): Promise<CanaryResult> {
  const config = path.join(folder, 'config')
  const project = path.join(folder, 'project')
  for (const one of [config, project]) fs.mkdirSync(one, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(config, 'settings.json'), JSON.stringify(decidingSettings(settingsFile)), { mode: 0o600 })
  takePlugins(path.dirname(settingsFile), config)
  const api = await openCanaryApi()
  try {
    const [command, ...args] = program.argv as [string, ...string[]]
    const exit = await runToEnd({
      command,
      args: [...args, '-p', 'Test of the guard.', '--output-format', 'json', '--permission-mode', 'default', '--allowedTools', 'Bash'],
      cwd: project,
      env: {
        HOME: folder,
        PATH: searched,
        TMPDIR: folder,
        LANG: 'C.UTF-8',
        CLAUDE_CONFIG_DIR: config,
        ANTHROPIC_BASE_URL: api.url,
        ANTHROPIC_API_KEY: api.key,
        ...OFFLINE,
      },
      deadlineMs: DEADLINE_MS,
      graceMs: GRACE_MS,
      signal,
    })
    return { ...api.seen, ended: howEnded(exit) }
  } finally {
    await api.close()
  }
}

/** Lists are copied and folders linked, so that the client changes nothing of the user's. */
function takePlugins(from: string, config: string): void {
  if (fs.existsSync(path.join(from, 'skills'))) fs.symlinkSync(path.join(from, 'skills'), path.join(config, 'skills'))
  const plugins = path.join(from, 'plugins')
  fs.mkdirSync(path.join(config, 'plugins'))
  for (const entry of fs.existsSync(plugins) ? fs.readdirSync(plugins, { withFileTypes: true }) : []) {
    const [source, target] = [path.join(plugins, entry.name), path.join(config, 'plugins', entry.name)]
    if (!entry.isFile()) fs.symlinkSync(source, target)
    else if (entry.name.endsWith('.json') && fs.statSync(source).size <= MAX_FILE) fs.copyFileSync(source, target)
  }
}
