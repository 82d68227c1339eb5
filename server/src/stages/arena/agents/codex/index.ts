/** Codex as an agent of runs: the user's own program in a sandbox, asking its model through an endpoint of ours. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { talk } from '../by-message.ts'
import { type AgentDriver, type AgentEnd, AgentFailed, type AgentWork } from '../driver.ts'
import { type AgentFiles, HOME, putFiles, resumeFrom, resumeOf, takeFiles } from '../home-files.ts'
import { refusesOfOthers } from '../refuses.ts'
import { findSince, shownFolders, shownProgram } from '../shown-program.ts'
import { createEventReader } from './events.ts'

export interface CodexDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  codex: AgentCli
  now: () => number
}

/** The oldest that was tried. */
const OLDEST = '0.53.0'
const FOLDER = '.codex'
/** Names the variable with the capability in its configuration. */
const TOKEN = 'BASHGYM_RUN_TOKEN'
/** It is in a sandbox already, and may do there what it likes. */
const FLAGS = 'exec --json --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox'

const ENVIRONMENT = {
  GIT_AUTHOR_NAME: 'Codex',
  GIT_AUTHOR_EMAIL: 'agent@sandbox.invalid',
  GIT_COMMITTER_NAME: 'Codex',
  GIT_COMMITTER_EMAIL: 'agent@sandbox.invalid',
}

export function createCodex({ sandboxes, codex, now }: CodexDeps): AgentDriver {
  return {
    agent: 'codex',
    sessions: { agent: 'codex', idOf: (file) => /([\da-f-]{36})\.jsonl$/.exec(file)?.[1] ?? path.posix.basename(file, '.jsonl') },
    countsRequests: true,
    refuses(request, dialect) {
      if (dialect !== 'openai')
        return {
          message: "Codex asks models by OpenAI's Responses API, which this endpoint does not speak.",
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
    find: () => findSince(codex, OLDEST),
    folders: () => shownFolders(codex),
    async run(work): Promise<AgentEnd> {
      const { sandboxId } = work
      const program = shownProgram(codex)
      if (typeof program === 'string') throw new AgentFailed('harness', program)
      if (!work.endpoint) throw new AgentFailed('ours', 'Codex was given no model to ask.')
      const env = { ...ENVIRONMENT, HOME, [TOKEN]: work.endpoint.token }
      const settings = settingsOf(work, work.endpoint.baseUrl)
      const before = work.resume === null ? null : resumeFrom(work.resume)
      await putFiles(sandboxes, sandboxId, FOLDER, before?.files ?? [])
      const reader = createEventReader(work.emit, before?.session ?? null)
      const agent = Object.assign(reader, {
        name: 'Codex',
        start: (session: string | null) => {
          const argv = [...program.argv, ...FLAGS.split(' '), ...settings, ...(session === null ? [] : ['resume', session]), '-']
          return sandboxes.spawn(sandboxId, { argv, terminal: null, cwd: work.workdir, env })
        },
      })
      const isMain = ({ path: file }: AgentFiles[number]) => reader.session !== null && file.endsWith(`${reader.session}.jsonl`)
      const transcript = async () => {
        const files = await takeFiles(sandboxes, sandboxId, FOLDER, ['sessions'])
        return [...files.filter(isMain), ...files.filter((file) => !isMain(file))]
      }
      const end = await talk(agent, work, { now, transcript })
      const main = end.transcript.find(isMain)
      return { ...end, resume: reader.session === null || main === undefined ? null : resumeOf(reader.session, [main]) }
    },
  }
}

function settingsOf({ model }: AgentWork, baseUrl: string): string[] {
  const settings = {
    model: model ?? 'default', // an endpoint that serves one model does not mind its name
    model_provider: 'run',
    'model_providers.run.name': 'Bash Gym',
    'model_providers.run.base_url': baseUrl,
    'model_providers.run.env_key': TOKEN,
    'model_providers.run.wire_api': 'responses',
    web_search: 'disabled', // the provider would run it outside
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${JSON.stringify(value)}`])
}
