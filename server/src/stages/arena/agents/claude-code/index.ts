/** Claude Code as an agent of runs: the user's own program in a sandbox, asking its model through an endpoint of ours. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { type AgentDriver, type AgentEnd, type AgentEvent, AgentFailed, type AgentWork } from '../driver.ts'
import { follow, messageIn } from '../follow.ts'
import { type AgentFiles, HOME, putFiles, resumeFrom, resumeOf, takeFiles } from '../home-files.ts'
import { shownFolders, shownProgram } from '../shown-program.ts'
import { converse, type ConversationEnd } from './conversation.ts'
import { readUserContext } from './user-context.ts'

export interface ClaudeCodeDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  claude: AgentCli
  /** Of the user: its folder, and the file with its MCP servers. */
  own: { folder: string; json: string }
  now: () => number
}

const FOLDER = '.claude'
/** Tools that stay inside the sandbox. */
const TOOLS = 'Agent,Bash,Edit,Glob,Grep,MultiEdit,NotebookEdit,Read,Skill,Task,TodoWrite,Write'
/** The provider would run them outside, or they wait for a time when the run is over. */
const REFUSED = 'WebSearch,WebFetch,CronCreate,ScheduleWakeup'
/** Some versions would begin in auto mode, in which the client asks its model whether a call may be made. */
const FLAGS = `-p --output-format stream-json --input-format stream-json --verbose --permission-mode default --permission-prompt-tool stdio --strict-mcp-config --disallowedTools ${REFUSED}`

const ENVIRONMENT = {
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
  GIT_AUTHOR_NAME: 'Claude Code',
  GIT_AUTHOR_EMAIL: 'agent@sandbox.invalid',
  GIT_COMMITTER_NAME: 'Claude Code',
  GIT_COMMITTER_EMAIL: 'agent@sandbox.invalid',
}

export function createClaudeCode({ sandboxes, claude, own, now }: ClaudeCodeDeps): AgentDriver {
  return {
    agent: 'claude-code',
    sessions: { agent: 'claude-code', idOf: (file) => path.posix.basename(file, '.jsonl') },
    refuses: (_, dialect) =>
      dialect === 'anthropic'
        ? null
        : {
            message: 'Claude Code asks models by the Messages API, which this endpoint does not speak.',
            hint: 'Choose another endpoint, OpenCode, or the shell agent.',
          },
    async find() {
      const program = shownProgram(claude)
      const isThere = typeof program !== 'string'
      return { version: isThere ? await claude.version() : null, missing: isThere ? null : program }
    },
    folders: () => shownFolders(claude),
    async run(work): Promise<AgentEnd> {
      const { sandboxId, signal } = work
      const emit = (event: AgentEvent) => work.emit(event)
      const program = shownProgram(claude)
      if (typeof program === 'string') throw new AgentFailed('harness', program)
      const before = work.resume === null ? null : resumeFrom(work.resume)
      const context = work.request.context === 'mine' ? readUserContext(own.folder, own.json) : null
      for (const input of context?.inputs ?? []) emit({ type: 'input', input })
      await putFiles(sandboxes, sandboxId, FOLDER, [...(context?.files ?? []), ...(before?.files ?? [])])

      const inbox = follow(work.inbox)
      let session = before?.session ?? null
      let end: ConversationEnd
      let prompt: string | null = work.prompt
      do {
        const argv = [...program.argv, ...argumentsOf(work, session, context?.mcpServers ?? {})]
        const channel = await sandboxes.spawn(sandboxId, { argv, terminal: null, cwd: work.workdir, env: environmentOf(work) })
        end = await converse(channel, prompt, { allowsAll: work.request.permissions === 'sandbox', inbox, emit, now, signal })
        session = end.session ?? session
        prompt = messageIn(inbox) // it came when the input was closed already
      } while (prompt !== null && !signal.aborted && session !== null && end.exit.code !== null)

      const transcript = await transcriptFiles(sandboxes, sandboxId, session).catch((error: unknown) => {
        if (signal.aborted) return [] // the sandbox is gone as well
        throw error
      })
      if (!signal.aborted) requireResult(end, transcript)
      return {
        claim: end.result?.is_error === false ? 'success' : 'failure',
        exitCode: end.exit.code,
        message: end.result ? wordsOf(end.result) : 'It was stopped before it had ended.',
        transcript,
        resume: session === null ? null : resumeWith(session, transcript),
      }
    },
  }
}

function resumeWith(session: string, transcript: AgentFiles): string | null {
  const main = transcript.find(({ path: file }) => isOf(session, file))
  return main === undefined ? null : resumeOf(session, [main])
}

function argumentsOf({ request, model }: AgentWork, session: string | null, mcpServers: Record<string, object>): string[] {
  return [
    ...FLAGS.split(' '),
    ...(request.permissions === 'sandbox' ? ['--allowedTools', TOOLS] : []),
    '--mcp-config',
    JSON.stringify({ mcpServers }),
    ...(model === null ? [] : ['--model', model]),
    ...(session === null ? [] : ['--resume', session]),
  ]
}

function environmentOf({ endpoint, model, request }: AgentWork): Record<string, string> {
  if (!endpoint) throw new AgentFailed('ours', 'Claude Code was given no model to ask.')
  /** Of other providers it knows no smaller model. */
  const others = model !== null && request.endpoint.kind !== 'provider'
  const smaller = ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_DEFAULT_SONNET_MODEL', 'ANTHROPIC_DEFAULT_OPUS_MODEL', 'CLAUDE_CODE_SUBAGENT_MODEL'] // prettier-ignore
  return {
    ...ENVIRONMENT,
    HOME,
    ANTHROPIC_BASE_URL: endpoint.baseUrl,
    ANTHROPIC_API_KEY: endpoint.token,
    ...(others && Object.fromEntries(smaller.map((name) => [name, model]))),
  }
}

/** Throws where the run has no result, with whose failure it is. */
function requireResult({ result, exit, errors }: ConversationEnd, transcript: AgentEnd['transcript']): void {
  if (exit.code === null && exit.signal === null)
    throw new AgentFailed('sandbox', 'The sandbox was lost while Claude Code was at work.', null, transcript)
  if (exit.outOfMemory)
    throw new AgentFailed(
      'sandbox',
      'Claude Code was ended: the memory of its sandbox was used up.',
      'Allow the run more memory.',
      transcript,
    )
  if (!result) {
    const how = exit.code === null ? `by ${exit.signal}` : `with exit code ${exit.code}`
    throw new AgentFailed('harness', `Claude Code ended ${how} without a result. ${errors}`.trim(), null, transcript)
  }
  if (result.terminal_reason === 'api_error' || typeof result.api_error_status === 'number')
    throw new AgentFailed('provider', wordsOf(result), null, transcript)
}

const wordsOf = ({ result, errors, subtype }: NonNullable<ConversationEnd['result']>): string =>
  result || errors?.join('\n') || subtype.replaceAll('_', ' ')

const isOf = (session: string | null, file: string) => session !== null && file.endsWith(`/${session}.jsonl`)

/** The transcripts of all sessions and sub-agents, that of `session` first. */
async function transcriptFiles(sandboxes: ClaudeCodeDeps['sandboxes'], id: string, session: string | null): Promise<AgentFiles> {
  const files = await takeFiles(sandboxes, id, FOLDER, ['projects'])
  const isMain = ({ path: file }: AgentFiles[number]) => isOf(session, file)
  return [...files.filter(isMain), ...files.filter((file) => !isMain(file))]
}
