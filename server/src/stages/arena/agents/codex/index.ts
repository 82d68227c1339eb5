/** Codex as an agent of runs: the user's own program in a sandbox, which reaches its model through an endpoint of this server. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { messageDriver } from '../by-message.ts'
import type { AgentDriver, AgentWork } from '../driver.ts'
import { type AgentFiles, mainFirst } from '../home-files.ts'
import { refusesOfOthers } from '../refuses.ts'
import { createEventReader } from './events.ts'

export interface CodexDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  codex: AgentCli
  now: () => number
}

/** The oldest that was tried. */
const OLDEST = '0.53.0'
/** The variable with its capability, as its configuration names it. */
const TOKEN = 'BASHGYM_RUN_TOKEN'
/** The sandbox isolates it already, so it needs no isolation of its own. */
const FLAGS = 'exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox'

export function createCodex({ sandboxes, codex, now }: CodexDeps): AgentDriver {
  return {
    agent: 'codex',
    sessions: { agent: 'codex', idOf: (file) => /([\da-f-]{36})\.jsonl$/.exec(file)?.[1] ?? path.posix.basename(file, '.jsonl') },
    countsRequests: true,
    refuses(request, dialect) {
      if (dialect !== 'openai')
        return {
          message: "Codex needs OpenAI's Responses API, which this endpoint does not support.",
          hint: 'Choose another endpoint, or Claude Code.',
        }
      if (request.endpoint.kind === 'model')
        // 42 KB of text, against 8,192 tokens
        return {
          message: 'The first request of Codex is longer than the context that your own models are served with.',
          hint: 'Choose another endpoint, or the shell agent.',
        }
      return refusesOfOthers('Codex', request)
    },
    ...messageDriver({
      sandboxes,
      cli: codex,
      oldest: OLDEST,
      folder: '.codex',
      names: ['sessions'],
      createReader: createEventReader,
      argumentsOf: (work, { baseUrl }, session) => [
        ...FLAGS.split(' '),
        ...settingsOf(work, baseUrl),
        ...(session === null ? [] : ['resume', session]),
        '-',
      ],
      environmentOf: (_, { token }) => ({ [TOKEN]: token }),
      transcriptOf: (files, session) => mainFirst(files, (file) => isOf(session, file)),
      resumeFilesOf: (transcript, session) => transcript.filter((file) => isOf(session, file)).slice(0, 1),
      now,
    }),
  }
}

const isOf = (session: string, file: AgentFiles[number]) => file.path.endsWith(`${session}.jsonl`)

function settingsOf({ model }: AgentWork, baseUrl: string): string[] {
  const settings = {
    model: model ?? 'default', // an endpoint with a single model ignores the name
    model_provider: 'run',
    'model_providers.run.name': 'Bash Gym',
    'model_providers.run.base_url': baseUrl,
    'model_providers.run.env_key': TOKEN,
    'model_providers.run.wire_api': 'responses',
    web_search: 'disabled', // the provider would run it outside
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}
