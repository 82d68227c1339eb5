/** OpenCode as an agent of runs: the user's own program in a sandbox, asking its model through an endpoint of ours. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { talk } from '../by-message.ts'
import { type AgentDriver, type AgentEnd, AgentFailed, type AgentWork } from '../driver.ts'
import { HOME, putFiles, resumeFrom, resumeOf, takeFiles } from '../home-files.ts'
import { refusesOfOthers } from '../refuses.ts'
import { findSince, shownFolders, shownProgram } from '../shown-program.ts'
import { taskTitle } from '../title.ts'
import { createEventReader } from './events.ts'

export interface OpenCodeDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  opencode: AgentCli
  now: () => number
}

/** The oldest that was tried; before 1.2.0 it kept sessions in another form. */
const OLDEST = '1.2.15'
const FOLDER = '.local/share/opencode'
/** With what was not merged into it when the program ended. */
const DATABASE = ['opencode.db', 'opencode.db-wal']
/** Our name for the endpoint, in its configuration. */
const PROVIDER = 'run'

const ENVIRONMENT = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  GIT_AUTHOR_NAME: 'OpenCode',
  GIT_AUTHOR_EMAIL: 'agent@sandbox.invalid',
  GIT_COMMITTER_NAME: 'OpenCode',
  GIT_COMMITTER_EMAIL: 'agent@sandbox.invalid',
}

export function createOpenCode({ sandboxes, opencode, now }: OpenCodeDeps): AgentDriver {
  return {
    agent: 'opencode',
    sessions: { agent: 'opencode', idOf: (file) => path.posix.dirname(file) },
    refuses: (request) => refusesOfOthers('OpenCode', request),
    find: () => findSince(opencode, OLDEST),
    folders: () => shownFolders(opencode),
    async run(work): Promise<AgentEnd> {
      const { sandboxId } = work
      const program = shownProgram(opencode)
      if (typeof program === 'string') throw new AgentFailed('harness', program)
      const env = environmentOf(work)
      const before = work.resume === null ? null : resumeFrom(work.resume)
      await putFiles(sandboxes, sandboxId, FOLDER, before?.files ?? [])
      const reader = createEventReader(work.emit, before?.session ?? null)
      const agent = Object.assign(reader, {
        name: 'OpenCode',
        start: (session: string | null) => {
          const argv = [...program.argv, ...argumentsOf(work, session)]
          return sandboxes.spawn(sandboxId, { argv, terminal: null, cwd: work.workdir, env })
        },
      })
      const files = () => takeFiles(sandboxes, sandboxId, FOLDER, DATABASE)
      const end = await talk(agent, work, {
        now,
        /** Below a folder named like the session, of which its database says nothing in its name. */
        transcript: async () =>
          reader.session === null ? [] : (await files()).map((file) => ({ ...file, path: `${reader.session}/${file.path}` })),
      })
      const kept = end.transcript.map((file) => ({ ...file, path: path.posix.basename(file.path) }))
      return { ...end, resume: reader.session === null || kept.length === 0 ? null : resumeOf(reader.session, kept) }
    },
  }
}

/** A title that is given is not asked of the model. */
const argumentsOf = ({ request, model }: AgentWork, session: string | null): string[] => [
  ...'run --format json --thinking --model'.split(' '),
  `${PROVIDER}/${modelOf(model)}`,
  ...(session === null ? [`--title=${taskTitle(request)}`] : ['--session', session]),
]

/** An endpoint that serves one model does not mind its name. */
const modelOf = (model: string | null) => model ?? 'default'

function environmentOf({ endpoint, model }: AgentWork): Record<string, string> {
  if (!endpoint) throw new AgentFailed('ours', 'OpenCode was given no model to ask.')
  const { dialect, baseUrl, token } = endpoint
  const name = `${PROVIDER}/${modelOf(model)}`
  const config = {
    model: name,
    small_model: name,
    enabled_providers: [PROVIDER],
    provider: {
      [PROVIDER]: {
        npm: dialect === 'anthropic' ? '@ai-sdk/anthropic' : '@ai-sdk/openai-compatible',
        name: 'Bash Gym',
        options: { baseURL: dialect === 'anthropic' ? `${baseUrl}/v1` : baseUrl, apiKey: token },
        models: { [modelOf(model)]: { name: modelOf(model) } },
      },
    },
    // both carry text out of the sandbox
    permission: { '*': 'allow', webfetch: 'deny', websearch: 'deny' },
    share: 'disabled',
    autoupdate: false,
    snapshot: false,
  }
  return { ...ENVIRONMENT, HOME, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
}
