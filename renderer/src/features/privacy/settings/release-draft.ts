import type { api } from '#renderer/api/client.ts'

type Body = Parameters<typeof api.releaseStatistic>[0]['body']
type What = Body['what']

export const STATISTICS: readonly { value: What; label: string }[] = [
  { value: 'sessions', label: 'Number of sessions' },
  { value: 'sessions_by_tier', label: 'Sessions by tier' },
  { value: 'sessions_by_tool', label: 'Sessions by tool' },
  { value: 'mean_session_minutes', label: 'Mean session length' },
]
export const statisticWord = (what: string): string => STATISTICS.find(({ value }) => value === what)?.label ?? what

export interface ReleaseDraft {
  what: What
  mechanism: 'laplace' | 'gaussian'
  epsilon: string
  minutes: string
}
export const DEFAULT_RELEASE: ReleaseDraft = { what: 'sessions', mechanism: 'laplace', epsilon: '0.5', minutes: '120' }

/** δ of the Gaussian mechanism. */
const DELTA = 1e-6
/** Limits of the server. */
const MIN_EPSILON = 0.001
const MAX_MINUTES = 1440
const TOOLS_PER_SESSION = 8

/** The request, or the error in the form. */
export function requestOf({ what, mechanism, epsilon, minutes }: ReleaseDraft, left: number): { body: Body | null; error: string | null } {
  const cost = Number(epsilon)
  const longest = Number(minutes)
  const error =
    epsilon.trim() === '' || !Number.isFinite(cost) || cost < MIN_EPSILON
      ? `ε must be a number of at least ${MIN_EPSILON}.`
      : cost > left
        ? `Only ε ${numberWord(left)} left.`
        : what === 'mean_session_minutes' && !(longest >= 1 && longest <= MAX_MINUTES)
          ? `The longest session must be 1 to ${MAX_MINUTES} minutes.`
          : null
  if (error !== null) return { body: null, error }
  const mean = what === 'mean_session_minutes' ? { maxMinutes: longest } : {}
  return { body: { what, mechanism, epsilon: cost, ...(mechanism === 'gaussian' && { delta: DELTA }), ...mean }, error: null }
}

/** The expected noise of a count. The standard deviation of the Laplace mechanism is √2 · sensitivity / ε. */
export function deviationWord({ what, mechanism, epsilon }: ReleaseDraft): string {
  const cost = Number(epsilon)
  if (mechanism === 'gaussian' || what === 'mean_session_minutes' || !(cost > 0)) return 'A smaller ε protects better and adds more noise.'
  const sensitivity = what === 'sessions_by_tool' ? TOOLS_PER_SESSION : 1
  return `A smaller ε protects better and adds more noise. Each count will be off by about ± ${numberWord((Math.SQRT2 * sensitivity) / cost)}.`
}

/** Up to three decimals, without trailing zeros. */
export const numberWord = (value: number): string => String(Number(value.toFixed(3)))
