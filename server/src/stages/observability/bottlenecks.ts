import type { Bottleneck } from '#contracts/entities/profile.ts'
import { formatDuration as formatMs } from '#server/duration.ts'
import { unionOf } from '#server/stages/traces/index.ts'
import type { Timed } from './spans.ts'

/** Shares from which a rule finds something. */
const WAITING = 0.5
const ONE_TOOL = 0.4
const FAILING = 1 / 3
/** The prompt cache of the API lives five minutes. */
const CACHE_LIFE_MS = 5 * 60_000
/** Prompts below this are cheap to send again. */
const LARGE_PROMPT = 10_000
const HALF_CONTEXT = 100_000
const HALF_LONG_CONTEXT = 500_000
const REPEATS = 4
const LEAST_CALLS = 6
/** Labels of this length may be cut, so two equal ones may be of different commands. */
const WHOLE_LABEL = 200

export interface Measured {
  spans: readonly Timed[]
  durationMs: number | null
  waitingMs: number | null
  workingMs: number | null
}

/** What slowed a session down or made it expensive. Each rule names the span that shows it best. */
export const bottlenecksOf = (session: Measured): Bottleneck[] => {
  const found = [waiting(session), slowTool(session), cacheLost(session), contextHalf(session), repeated(session), failing(session)]
  return found.filter((one) => one !== null)
}

const formatDuration = (ms: number): string => formatMs(ms, { fine: true })
const percent = (share: number): string => `${Math.round(share * 100)} %`
const lengthOf = ({ span }: Timed): number => span.durationMs ?? 0
const longest = (spans: readonly Timed[]): Timed => spans.reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a))

function waiting({ spans, durationMs, waitingMs }: Measured): Bottleneck | null {
  const waits = spans.filter(({ span }) => span.kind === 'wait')
  if (durationMs === null || waitingMs === null || waits.length === 0 || waitingMs <= durationMs * WAITING) return null
  const text = `${percent(waitingMs / durationMs)} of the time, the session waited for you (${formatDuration(waitingMs)}).`
  return { rule: 'mostly_waiting', spanId: longest(waits).span.id, text }
}

/** Calls without the time in which sub-agents worked or the user was asked: those spans have their own. */
function ownCalls(spans: readonly Timed[]): Timed[] {
  const parents = new Set(spans.flatMap(({ span }) => (span.kind !== 'tool' && span.kind !== 'llm' ? [span.parentId] : [])))
  return spans.filter(({ span }) => span.kind === 'tool' && !parents.has(span.id))
}

function slowTool({ spans, workingMs }: Measured): Bottleneck | null {
  if (workingMs === null || workingMs === 0) return null
  const byTool = [...Map.groupBy(ownCalls(spans), ({ span }) => span.name)].map(([name, calls]) => ({
    name,
    calls,
    ms: unionOf(calls.flatMap(({ from, to }) => (from !== null && to !== null ? [{ from, to }] : []))),
  }))
  const slowest = byTool.toSorted((a, b) => b.ms - a.ms)[0]
  if (!slowest || slowest.ms <= workingMs * ONE_TOOL) return null
  const { name, calls, ms } = slowest
  const text = `${name} takes ${percent(ms / workingMs)} of the working time: ${formatDuration(ms)} in ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}.`
  return { rule: 'slow_tool', spanId: longest(calls).span.id, text }
}

/** All that a request sent; null if it is not known. */
export function promptOf({ span: { tokens } }: Timed): number | null {
  if (!tokens || tokens.input === null || tokens.cacheRead === null || tokens.cacheWrite === null) return null
  return tokens.input + tokens.cacheRead + tokens.cacheWrite
}

function cacheLost({ spans }: Measured): Bottleneck | null {
  const lost: { request: Timed; sent: number }[] = []
  const last = new Map<string, Timed>()
  for (const request of spans) {
    if (request.span.kind !== 'llm' || !request.span.tokens) continue
    const before = last.get(request.agent)
    last.set(request.agent, request)
    const sent = promptOf(request)
    const known = before && promptOf(before)
    if (!before || known == null || sent === null || known < LARGE_PROMPT || sent < known) continue
    const isAfterPause = request.from !== null && before.to !== null && request.from - before.to > CACHE_LIFE_MS
    if (isAfterPause && (request.span.tokens.cacheRead ?? 0) < known / 2) lost.push({ request, sent })
  }
  if (lost.length === 0) return null
  const most = lost.reduce((a, b) => (b.sent > a.sent ? b : a))
  const again = lost.reduce((sum, { sent }) => sum + sent, 0)
  const times = lost.length === 1 ? 'once' : `${lost.length} times`
  const text = `After a pause of more than 5 minutes the prompt cache was gone, ${times}: ${again.toLocaleString('en')} tokens were sent again.`
  return { rule: 'cache_lost_after_pause', spanId: most.request.span.id, text }
}

function contextHalf({ spans }: Measured): Bottleneck | null {
  const over = spans.filter((one) => {
    const { span } = one
    if (span.kind !== 'llm' || !span.name.startsWith('claude-')) return false
    return (promptOf(one) ?? 0) > (span.name.includes('[1m]') ? HALF_LONG_CONTEXT : HALF_CONTEXT)
  })
  if (over.length === 0) return null
  const most = over.reduce((a, b) => ((promptOf(b) ?? 0) > (promptOf(a) ?? 0) ? b : a))
  const text = `${over.length} ${over.length === 1 ? 'request has' : 'requests have'} a context more than half full, up to ${(promptOf(most) ?? 0).toLocaleString('en')} tokens.`
  return { rule: 'context_over_half', spanId: most.span.id, text }
}

function repeated({ spans }: Measured): Bottleneck | null {
  const commands = spans.filter(({ span }) => span.kind === 'tool' && span.label !== null && span.label.length < WHOLE_LABEL)
  const groups = [...Map.groupBy(commands, ({ span }) => `${span.name}\0${span.label}`).values()]
  const most = groups.toSorted((a, b) => b.length - a.length)[0]
  if (!most || most.length < REPEATS) return null
  const { name, label } = longest(most).span
  const total = formatDuration(most.reduce((sum, one) => sum + lengthOf(one), 0))
  return { rule: 'repeated_command', spanId: longest(most).span.id, text: `${name} ran ${most.length} times with “${label}”: ${total}.` }
}

function failing({ spans }: Measured): Bottleneck | null {
  const calls = spans.filter(({ span }) => span.kind === 'tool')
  const failed = calls.filter(({ span }) => span.error?.startsWith('failed') === true)
  const [first] = failed
  if (!first || calls.length < LEAST_CALLS || failed.length <= calls.length * FAILING) return null
  return { rule: 'failing_calls', spanId: first.span.id, text: `${failed.length} of ${calls.length} calls failed.` }
}
