/** Runs the user's own Claude Code in a sandbox, where it reaches its model through an endpoint of this server. */
import path from 'node:path'
import type { AgentCli } from '#server/adapters/agent-cli/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { requireNormalEnd, noResultError } from '../agent-program.ts'
import { unlessStopped } from '../by-message.ts'
import { type AgentDriver, type AgentEnd, type AgentEvent, AgentFailed, type AgentWork } from '../driver.ts'
import { bufferInbox, messageIn } from '../buffered-inbox.ts'
import {
  agentEnvironment,
  type AgentFiles,
  mainFirst,
  writeAgentFiles,
  resumeFrom,
  resumeOf,
  readAgentFiles,
  sessionOnly,
  withoutTornLine,
} from '../agent-files.ts'
import { programFolders, readableProgram } from '../readable-program.ts'
import { converse, type ConversationEnd } from './conversation.ts'
import { readUserContext } from './user-context.ts'

export interface ClaudeCodeDeps {
  sandboxes: Pick<Sandboxes, 'spawn' | 'unpack'>
  claude: AgentCli
  /** The user's Claude Code folder, and the file that lists the MCP servers. */
  userConfig: { folder: string; json: string }
  now: () => number
}

const FOLDER = '.claude'
/** Tools that stay inside the sandbox. */
const TOOLS = 'Agent,Bash,Edit,Glob,Grep,MultiEdit,NotebookEdit,Read,Skill,Task,TodoWrite,Write'
/** Tools that would run at the provider, outside the sandbox, or act after the run has ended. */
const REFUSED_TOOLS = 'WebSearch,WebFetch,CronCreate,ScheduleWakeup'
/** Without a permission mode some versions ask their model whether a call is allowed. */
const FLAGS = `-p --output-format stream-json --input-format stream-json --verbose --permission-mode default --permission-prompt-tool stdio --strict-mcp-config --disallowedTools ${REFUSED_TOOLS}`

const ENVIRONMENT = {
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
  ...agentEnvironment('Claude Code'),
}

export function createClaudeCode({ sandboxes, claude, userConfig, now }: ClaudeCodeDeps): AgentDriver {
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
      const program = readableProgram(claude)
      return typeof program === 'string' ? { version: null, missing: program } : { version: await claude.version(), missing: null }
    },
    folders: () => programFolders(claude),
    async run(work): Promise<AgentEnd> {
      const { sandboxId, signal } = work
      const emit = (event: AgentEvent) => work.emit(event)
      const program = readableProgram(claude)
      if (typeof program === 'string') throw new AgentFailed('harness', program)
      const resumed = work.resume === null ? null : resumeFrom(work.resume)
      const context = work.request.context === 'mine' ? await readUserContext(userConfig.folder, userConfig.json) : null
      for (const input of context?.inputs ?? []) emit({ type: 'input', input })
      await writeAgentFiles(sandboxes, sandboxId, FOLDER, [...(context?.files ?? []), ...(resumed?.files ?? [])])

      const inbox = bufferInbox(work.inbox)
      let session = resumed?.session ?? null
      let end: ConversationEnd
      let prompt: string | null = work.prompt
      do {
        const argv = [...program.argv, ...argumentsOf(work, session, context?.mcpServers ?? {})]
        const channel = await sandboxes.spawn(sandboxId, { argv, terminal: null, cwd: work.workdir, env: environmentOf(work) })
        end = await converse(channel, prompt, {
          allowsAll: work.request.permissions === 'sandbox',
          inbox,
          emit,
          onAnswer: (current) => work.keep(sessionOnly(current)),
          now,
          signal,
        })
        session = end.session ?? session
        prompt = messageIn(inbox) // a message that arrived after the input was closed
      } while (prompt !== null && !signal.aborted && session !== null && end.exit.code !== null)

      const transcript = await unlessStopped(signal, async () => {
        const files = await readAgentFiles(sandboxes, sandboxId, FOLDER, ['projects']) // the transcripts of all sessions and sub-agents
        return mainFirst(files, ({ path: file }) => isTranscriptOf(session, file))
      })
      if (!signal.aborted) requireResult(end, transcript)
      return {
        claim: end.result?.is_error === false ? 'success' : 'failure',
        exitCode: end.exit.code,
        message: end.result ? resultText(end.result) : 'It was stopped before it finished.',
        transcript,
        resume: session === null ? null : resumeWith(session, transcript),
      }
    },
    async recover({ sandboxId, now: kept }) {
      if (sandboxId === null || kept === null) return { transcript: [], resume: null }
      const { session } = resumeFrom(kept)
      const files = (await readAgentFiles(sandboxes, sandboxId, FOLDER, ['projects'])).map(withoutTornLine)
      const transcript = mainFirst(files, ({ path: file }) => isTranscriptOf(session, file))
      const resume = isTranscriptOf(session, transcript[0]?.path ?? '') ? (resumeWith(session, transcript) ?? sessionOnly(session)) : null
      return { transcript, resume }
    },
  }
}

function resumeWith(session: string, transcript: AgentFiles): string | null {
  const main = transcript.find(({ path: file }) => isTranscriptOf(session, file))
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

/** Throws if the run has no result; the error names who caused that. */
function requireResult({ result, ...end }: ConversationEnd, transcript: AgentEnd['transcript']): void {
  requireNormalEnd('Claude Code', end, transcript)
  if (!result) throw noResultError('Claude Code', end, transcript)
  if (result.terminal_reason === 'api_error' || typeof result.api_error_status === 'number')
    throw new AgentFailed('provider', resultText(result), null, transcript)
}

const resultText = ({ result, errors, subtype }: NonNullable<ConversationEnd['result']>): string =>
  result || errors?.join('\n') || subtype.replaceAll('_', ' ')

const isTranscriptOf = (session: string | null, file: string) => session !== null && file.endsWith(`/${session}.jsonl`)
