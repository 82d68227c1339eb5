import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import type { Core } from '#server/core.ts'
import type { PassedResults } from '../../guardrails/index.ts'
import type { NewResult, NewResultsInput } from './new-results.job.ts'

const JOB = new URL('./new-results.job.ts', import.meta.url)
/** Only these have results of tools. */
const PATH = '/v1/messages'
const LIMIT_MS = 30_000
/** Of requests that wait; of what is above, the results are found when the session is checked. */
const MOST_BYTES = 64 * 1024 * 1024

/** Checks the results of tools in requests that a model has answered, one request after the other, on a thread. */
export function createNewResults({ workers, log }: Pick<Core, 'workers' | 'log'>, results: PassedResults) {
  const stop = new AbortController()
  let waiting = 0
  let last: Promise<void> = Promise.resolve()

  async function check(session: string | null, body: Buffer, chosen: NewResultsInput['options'] | null): Promise<void> {
    if (chosen === null || stop.signal.aborted) return
    const input = { body, options: chosen } satisfies NewResultsInput
    const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(LIMIT_MS)])
    const found = await workers.run<NewResult[]>(JOB, input, { lane: 'query', signal })
    if (!stop.signal.aborted) results.record(session, found)
  }

  return {
    passed({ path, status, session }: Pick<Passed, 'path' | 'status' | 'session'>, body: Buffer | null): void {
      if (path !== PATH || status !== 200 || body === null || waiting + body.length > MOST_BYTES) return
      waiting += body.length
      last = Promise.all([results.options(), last])
        .then(([chosen]) => check(session, body, chosen))
        .catch((error: unknown) => {
          if (!stop.signal.aborted) log.warn({ err: error }, 'The results of tools in a request were not checked')
        })
        .finally(() => (waiting -= body.length))
    },
    async close(): Promise<void> {
      stop.abort(new Error('Bash Gym is stopping.'))
      await last
    },
  }
}
