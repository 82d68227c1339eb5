/** Claude Code as an agent of runs: the user's own program in a sandbox, which reaches its model through an endpoint of this server. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { requireOwnEnd, withoutResult } from '../agent-program.ts'
import { unlessStopped } from '../by-message.ts'
import { type AgentDriver, type AgentEnd, type AgentEvent, AgentFailed, type AgentWork } from '../driver.ts'
import { follow, messageIn } from '../follow.ts'
import { agentEnvironment, type AgentFiles, mainFirst, putFiles, resumeFrom, resumeOf, takeFiles } from '../home-files.ts'
import { shownFolders, shownProgram } from '../shown-program.ts'
import { converse, type ConversationEnd } from './conversation.ts'
import { readUserContext } from './user-context.ts'

export interface ClaudeCodeDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  claude: AgentCli
  /** The user's own folder of Claude Code, and the file that lists its MCP servers. */
  own: { folder: string; json: string }
  now: () => number
}

const FOLDER = '.claude'
/** Tools that stay inside the sandbox. */
const TOOLS = 'Agent,Bash,Edit,Glob,Grep,MultiEdit,NotebookEdit,Read,Skill,Task,TodoWrite,Write'
/** Tools that would run at the provider, outside the sandbox, or act after the run has ended. */
const REFUSED = 'WebSearch,WebFetch,CronCreate,ScheduleWakeup'
/** Without a permission mode some versions ask their model whether a call is allowed. */
const FLAGS = `-p --output-format stream-json --input-format stream-json --verbose --permission-mode default --permission-prompt-tool stdio --strict-mcp-config --disallowedTools ${REFUSED}`

const ENVIRONMENT = {
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
  ...agentEnvironment('Claude Code'),
}

export function createClaudeCode({ sandboxes, claude, own, now }: ClaudeCodeDeps): AgentDriver {
  return {
    agent: 'claude-code',
    sessions: { agent: 'claude-code', idOf: (file) => path.posix.basename(file, '.jsonl') },
    refuses: (_, dialect) =>
      dialect === 'anthropic'
        ? null
        : {
            message: 'Claude Code needs the Messages API, which this endpoint does not support.',
            hint: 'Choose another endpoint, OpenCode, or the shell agent.',
          },
    async find() {
      const program = shownProgram(claude)
      return typeof program === 'string' ? { version: null, missing: program } : { version: await claude.version(), missing: null }
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
        prompt = messageIn(inbox) // one that arrived after the input was closed
      } while (prompt !== null && !signal.aborted && session !== null && end.exit.code !== null)

      const transcript = await unlessStopped(signal, async () => {
        const files = await takeFiles(sandboxes, sandboxId, FOLDER, ['projects']) // the transcripts of all its sessions and sub-agents
        return mainFirst(files, ({ path: file }) => isOf(session, file))
      })
      if (!signal.aborted) requireResult(end, transcript)
      return {
        claim: end.result?.is_error === false ? 'success' : 'failure',
        exitCode: end.exit.code,
        message: end.result ? wordsOf(end.result) : 'It was stopped before it finished.',
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
  if (!endpoint) throw new AgentFailed('ours', 'Claude Code was started without a model endpoint.')
  /** Other providers have no smaller Claude models, so every role gets the model of the run. */
  const isOtherProvider = model !== null && request.endpoint.kind !== 'provider'
  const roleVariables = ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_DEFAULT_SONNET_MODEL', 'ANTHROPIC_DEFAULT_OPUS_MODEL', 'CLAUDE_CODE_SUBAGENT_MODEL'] // prettier-ignore
  return {
    ...ENVIRONMENT,
    ANTHROPIC_BASE_URL: endpoint.baseUrl,
    ANTHROPIC_API_KEY: endpoint.token,
    ...(isOtherProvider && Object.fromEntries(roleVariables.map((name) => [name, model]))),
  }
}

/** Throws if the run has no result; the error says who caused it. */
function requireResult({ result, ...end }: ConversationEnd, transcript: AgentEnd['transcript']): void {
  requireOwnEnd('Claude Code', end, transcript)
  if (!result) throw withoutResult('Claude Code', end, transcript)
  if (result.terminal_reason === 'api_error' || typeof result.api_error_status === 'number')
    throw new AgentFailed('provider', wordsOf(result), null, transcript)
}

const wordsOf = ({ result, errors, subtype }: NonNullable<ConversationEnd['result']>): string =>
  result || errors?.join('\n') || subtype.replaceAll('_', ' ')

const isOf = (session: string | null, file: string) => session !== null && file.endsWith(`/${session}.jsonl`)
