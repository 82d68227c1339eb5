import fs from 'node:fs'
import path from 'node:path'
import { createClaudeCli } from '#server/adapters/agent-cli/index.ts'
import { createHookInstaller } from '#server/stages/capture/hooks/service.ts'
import {
  type Client,
  getAgent,
  getClient,
  makeWorkspace,
  type Skip,
  readJsonl,
  runClient,
  type RunOptions,
  type RunResult,
  type Workspace,
} from './driver/index.mjs'

const root = path.resolve(import.meta.dirname, '..', '..')

/** Returns a client, or the reason why its tests are skipped. With BASHGYM_TEST_REQUIRE=claude a missing client is an error. */
export const clientOrSkip = async (version: string): Promise<Installed> => installedOrSkip('claude', await getClient({ version }))

/** The same for another agent. */
export const agentOrSkip = async (id: 'opencode' | 'codex'): Promise<Installed> => installedOrSkip(id, await getAgent(id))

type Installed = { bin: string; version: string; skip: false } | { skip: string }

function installedOrSkip(name: string, client: Client | Skip): Installed {
  if ('bin' in client) return { ...client, skip: false }
  if ((process.env['BASHGYM_TEST_REQUIRE'] ?? '').split(',').includes(name)) throw new Error(client.skip)
  console.error(`SKIPPED: ${client.skip}`)
  return client
}

export type HookEvent = Record<string, unknown> & { hook_event_name: string; session_id: string }

/** A user with a project, hooks of their own in an odd layout, and a data directory whose path needs quoting. */
export function aUser(bin: string) {
  const workspace: Workspace = makeWorkspace()
  const { userHome, cwd } = workspace
  const claudeDir = path.join(userHome, '.claude')
  const settingsFile = path.join(claudeDir, 'settings.json')
  const dataDir = path.join(userHome, `Jörg's data`)
  const ownLog = path.join(userHome, 'own.log')
  const own = (event: string) => `[{"hooks":[ {"command":${JSON.stringify(`echo ${event} >>'${ownLog}'`)},"type":"command"} ]}]`
  const before = `{\t"hooks" :{ "Stop":${own('Stop')},\r\n "PreCompact" : [ ] , "PostToolUse": ${own('PostToolUse')} },\r\n\t"cleanupPeriodDays":3e1,"x-10": 12345678901234567890}`
  fs.mkdirSync(claudeDir, { recursive: true })
  fs.writeFileSync(settingsFile, before)
  const cli = createClaudeCli({ claudeBin: bin, path: process.env['PATH'] ?? '', userHome })
  const spool = path.join(dataDir, 'spool')
  return {
    ...workspace,
    claudeDir,
    settingsFile,
    dataDir,
    before,
    spool,
    installer: createHookInstaller({
      dataDir,
      hookSource: path.join(root, 'hooks', 'bashgym-hook.sh'),
      settingsFile,
      clientVersion: () => cli.version(),
      now: Date.now,
      managedFolders: [],
    }),
    run: (options: Partial<RunOptions>): Promise<RunResult> => runClient({ userHome, cwd, bin, ...options }),
    /** What the user's own hooks wrote, one word per call. */
    ownCalls: () => (fs.existsSync(ownLog) ? fs.readFileSync(ownLog, 'utf8').trim().split('\n') : []),
    /** Every payload in the spool; throws if one is incomplete. */
    events: (): HookEvent[] =>
      fs.readdirSync(spool).flatMap((name) => {
        const text = fs.readFileSync(path.join(spool, name), 'utf8')
        if (!text.endsWith('\n')) throw new Error(`${name} does not end in a newline`)
        return text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as HookEvent)
      }),
  }
}

/** Names of the records that hooks left in the transcript, except the summary at Stop, which cannot be avoided. */
export function hookRecords({ transcripts, subagents }: RunResult): string[] {
  const text = JSON.stringify([...transcripts, ...subagents].flatMap((file) => readJsonl(file)))
  return text.match(/"hook_(success|non_blocking_error|blocking_error|cancelled|no_verdict|error_during_execution)"/g) ?? []
}
