import { EnvironmentSpec } from '#contracts/entities/environment.ts'
import type { Environments } from './service.ts'

/** High enough never to apply, because the arena limits how many sandboxes run at the same time. */
const MAX_SESSIONS = 1024

/** The environment that all training runs of this server share, created on first use. */
export function createTrainingEnvironment(environments: Pick<Environments, 'list' | 'start'>) {
  type Started = Awaited<ReturnType<Environments['start']>>
  const spec = EnvironmentSpec.parse({ form: 'command', reward: 'shell-v1', maxSessions: MAX_SESSIONS })
  const isRunning = (one: Started | null) => one !== null && environments.list().some(({ id }) => id === one.id)
  let current: Promise<Started | null> = Promise.resolve(null)
  return async (): Promise<{ url: string; token: string }> => {
    // each call waits for the previous call, so that two calls at the same moment start only one server
    const next = current.catch(() => null).then((one) => (isRunning(one) ? one! : environments.start(spec)))
    current = next
    const { url, token } = await next
    return { url, token }
  }
}
