import type { RouteDecision, RouterProxy } from '#contracts/entities/routing.ts'
import type { RouterSettings } from '#contracts/settings/router.ts'
import { openPassThrough, type PassThrough } from '#server/adapters/llm-proxy/index.ts'
import { isLoopback } from '#server/adapters/tools/loopback.ts'
import type { Core } from '#server/core.ts'
import { createDecisions } from './store.ts'
import { createUnchecked } from './unchecked.ts'

export interface ProxyDeps {
  settings: () => RouterSettings
  /** The address of Anthropic's API, as the settings and the environment have it. */
  upstream: () => string
  /** The secret part of the proxy's address; made at its first use. */
  token: () => string
}

/** Only these are steps of a conversation; others count tokens, list models or look whether the API is there. */
const STEP = '/v1/messages'

/** Lets requests of Claude Code pass, and writes down how they went. */
export function createProxy(core: Core, deps: ProxyDeps) {
  const decisions = createDecisions(core)
  const unchecked = createUnchecked(core.now)
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
        onPassed(passed) {
          if (passed.path !== STEP || isStopped) return
          unchecked.see(passed)
          const decision: RouteDecision = decisions.add(passed)
          core.events.passing('router:decision', { decision })
        },
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
    decisions,
    changed,
    start(): Promise<void> {
      isStopped = false
      return changed()
    },
    stop(): Promise<void> {
      isStopped = true
      return changed()
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
