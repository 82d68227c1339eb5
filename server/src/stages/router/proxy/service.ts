import type { RouteDecision, RouterProxy } from '#contracts/entities/routing.ts'
import type { RouterSettings } from '#contracts/settings/router.ts'
import { openPassThrough, type PassThrough } from '#server/adapters/llm-proxy/index.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { Core } from '#server/core.ts'
import { createSpanStore } from '#server/spans/index.ts'
import type { PassedResults } from '../../guardrails/index.ts'
import type { ShadowAnswers } from '../shadow/answers.ts'
import { type AnsweringDeps, createAnswering } from './answering.ts'
import { CHAT_PATH } from './chat-front.ts'
import { createConversations } from './conversations.ts'
import { createNewResults } from './new-results.ts'
import { createShadow } from './shadow.ts'
import { recordPassed } from './spans.ts'
import type { createDecisions } from './store.ts'
import { createUnchecked } from './unchecked.ts'

export interface ProxyDeps extends Omit<AnsweringDeps, 'conversations'> {
  shadowAnswers: ShadowAnswers
  passedResults: PassedResults
  /** Whether the user has a session captured. No text of others is kept. */
  isCaptured: (of: { session: string | null; cwd: null }) => boolean
  settings: () => RouterSettings
  /** The address of Anthropic's API, as the settings and the environment have it. */
  upstream: () => string
  /** The secret part of the proxy's address; made at its first use. */
  token: () => string
  decisions: Pick<ReturnType<typeof createDecisions>, 'add'>
  /** After a request. */
  decided: (decision: RouteDecision) => void
}

/** Only these are steps of a conversation; others count tokens, list models or look whether the API is there. */
const STEPS = new Set(['/v1/messages', CHAT_PATH])

/** Lets requests of Claude Code pass, and writes down how they went. */
export function createProxy(core: Core, deps: ProxyDeps) {
  const answering = createAnswering({ ...deps, conversations: createConversations(core) })
  const shadow = createShadow(core, { ...deps, answers: deps.shadowAnswers, patienceMs: deps.patienceMs.alone })
  const newResults = createNewResults(core, deps.passedResults)
  const unchecked = createUnchecked(core.now)
  const spans = createSpanStore(core)
  let open: PassThrough | null = null
  let problem: string | null = null
  /** Opens and closes one after the other. */
  let turn: Promise<void> = Promise.resolve()
  let isStopped = true

  function upstream(): URL {
    const url = new URL(deps.upstream())
    const isLocal = isLoopback(url.hostname)
    if (url.protocol !== 'https:' && !isLocal) throw new Error(`${url.origin} is not encrypted, so your key is not sent there`)
    if (isLocal && Number(url.port) === open?.port) throw new Error('its own address is set as the address of the API')
    return url
  }
  async function follow(): Promise<void> {
    const { proxy, proxyPort } = deps.settings()
    const wanted = proxy && !isStopped ? proxyPort : null
    if (open !== null && open.port !== wanted) {
      const closing = open
      open = null
      await closing.close()
    }
    if (wanted === null) problem = null
    if (wanted === null || open !== null) return
    try {
      open = await openPassThrough({
        port: wanted,
        token: deps.token(),
        upstream,
        answer: answering.answer,
        onPassed(passed, answer, body) {
          if (!STEPS.has(passed.path) || isStopped) return
          unchecked.see(passed)
          recordPassed(spans, passed)
          const isKept = deps.isCaptured({ session: passed.session, cwd: null })
          if (isKept) newResults.passed(passed, body)
          const choice = answering.choiceOf(passed)
          const read = answering.readOf(passed)
          deps.decided(deps.decisions.add(passed, choice, choice?.cause === 'strategy' ? (read?.form.model ?? null) : null))
          if (isKept && !choice?.student) shadow.passed(passed, read, answer)
        },
        onFault: (error) => core.log.error({ err: error }, 'a request passed the proxy without being read or counted'),
      })
      problem = null
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      problem =
        code === 'EADDRINUSE'
          ? `Port ${wanted} is in use by another program. Choose another port.`
          : `Port ${wanted} can't be opened: ${message}.`
      core.log.warn({ problem }, 'the proxy was not opened')
    }
  }
  const changed = (): Promise<void> => (turn = turn.then(follow))

  return {
    changed,
    start(): Promise<void> {
      isStopped = false
      return changed()
    },
    async stop(): Promise<void> {
      isStopped = true
      await changed()
      await Promise.all([shadow.close(), newResults.close()])
    },
    /** Waits for a change that is being made. */
    async status(): Promise<RouterProxy> {
      await turn
      const isOn = deps.settings().proxy
      return {
        isOn,
        address: open && `http://127.0.0.1:${open.port}/${deps.token()}`,
        upstream: deps.upstream(),
        problem,
        unchecked: unchecked.list(),
      }
    },
  }
}
