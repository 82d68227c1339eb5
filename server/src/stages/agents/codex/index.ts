/** Runs the user's own Codex in a sandbox, where it reaches its model through an endpoint of this server. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { messageDriver } from '../by-message.ts'
import type { AgentDriver, AgentWork } from '../driver.ts'
import { type AgentFiles, mainFirst } from '../agent-files.ts'
import { refusalFor } from '../refusal.ts'
import { createEventReader } from './events.ts'

export interface CodexDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  codex: AgentCli
  now: () => number
}

/** The oldest version that was tested. */
const OLDEST_VERSION = '0.53.0'
/** The variable that its configuration reads the capability from. */
const TOKEN_VARIABLE = 'BASHGYM_RUN_TOKEN'
/** The sandbox already isolates it, so its own isolation is switched off. */
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
          message: 'The first request of Codex is longer than the context of your own models.',
          hint: 'Choose another endpoint, or the shell agent.',
        }
      return refusalFor('Codex', request)
    },
    ...messageDriver({
      sandboxes,
      cli: codex,
      oldest: OLDEST_VERSION,
      folder: '.codex',
      names: ['sessions'],
      createReader: createEventReader,
      argumentsOf: (work, { baseUrl }, session) => [
        ...FLAGS.split(' '),
        ...settingsOf(work, baseUrl),
        ...(session === null ? [] : ['resume', session]),
        '-',
      ],
      environmentOf: (_, { token }) => ({ [TOKEN_VARIABLE]: token }),
      transcriptOf: (files, session) => mainFirst(files, (file) => isTranscriptOf(session, file)),
      resumeFilesOf: (transcript, session) => transcript.filter((file) => isTranscriptOf(session, file)).slice(0, 1),
      now,
    }),
  }
}

const isTranscriptOf = (session: string, file: AgentFiles[number]) => file.path.endsWith(`${session}.jsonl`)

function settingsOf({ model }: AgentWork, baseUrl: string): string[] {
  const settings = {
    model: model ?? 'default', // an endpoint with a single model ignores the name
    model_provider: 'run',
    'model_providers.run.name': 'Bash Gym',
    'model_providers.run.base_url': baseUrl,
    'model_providers.run.env_key': TOKEN_VARIABLE,
    'model_providers.run.wire_api': 'responses',
    web_search: 'disabled', // the provider would run it outside the sandbox
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}
