/** Runs the user's own OpenCode in a sandbox, where it reaches its model through an endpoint of this server. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { type Endpoint, messageDriver } from '../by-message.ts'
import type { AgentDriver, AgentWork } from '../driver.ts'
import { refusalFor } from '../refusal.ts'
import { taskTitle } from '../title.ts'
import { createEventReader } from './events.ts'

export interface OpenCodeDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  opencode: AgentCli
  now: () => number
}

/** The oldest version that was tested; before 1.2.0 its sessions had another format. */
const OLDEST_VERSION = '1.2.15'
/** Includes the write-ahead log, which is not always merged when the program ends. */
const DATABASE = ['opencode.db', 'opencode.db-wal']
/** Our name for the endpoint, in its configuration. */
const PROVIDER = 'run'

const ENVIRONMENT = {
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
}

export function createOpenCode({ sandboxes, opencode, now }: OpenCodeDeps): AgentDriver {
  return {
    agent: 'opencode',
    sessions: { agent: 'opencode', idOf: (file) => path.posix.dirname(file) },
    refuses: (request) => refusalFor('OpenCode', request),
    ...messageDriver({
      sandboxes,
      cli: opencode,
      oldest: OLDEST_VERSION,
      folder: '.local/share/opencode',
      names: DATABASE,
      createReader: createEventReader,
      argumentsOf: (work, _, session) => argumentsOf(work, session),
      environmentOf,
      // the folder carries the session id, which the name of the database lacks
      transcriptOf: (files, session) => files.map((file) => ({ ...file, path: `${session}/${file.path}` })),
      resumeFilesOf: (transcript) => transcript.map((file) => ({ ...file, path: path.posix.basename(file.path) })),
      now,
    }),
  }
}

/** A given title keeps OpenCode from asking the model for one. */
const argumentsOf = ({ request, model }: AgentWork, session: string | null): string[] => [
  ...'run --format json --thinking --model'.split(' '),
  `${PROVIDER}/${modelOf(model)}`,
  ...(session === null ? [`--title=${taskTitle(request)}`] : ['--session', session]),
]

/** An endpoint with a single model ignores the name. */
const modelOf = (model: string | null) => model ?? 'default'

function environmentOf({ model }: AgentWork, { dialect, baseUrl, token }: Endpoint): Record<string, string> {
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
    // both tools send text out of the sandbox
    permission: { '*': 'allow', webfetch: 'deny', websearch: 'deny' },
    share: 'disabled',
    autoupdate: false,
    snapshot: false,
  }
  return { ...ENVIRONMENT, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }
}
