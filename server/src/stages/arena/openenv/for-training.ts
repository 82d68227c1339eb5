import { EnvironmentSpec } from '#contracts/entities/environment.ts'
import type { Environments } from './service.ts'

/** No limit of its own: the arena limits how many sandboxes run at the same time. */
const MAX_SESSIONS = 1024

/** The environment that all training runs of this server share, created on first use. */
export function createTrainingEnvironment(environments: Pick<Environments, 'list' | 'start'>) {
  let made: ReturnType<Environments['start']> | null = null
  const isThere = (id: string) => environments.list().some((one) => one.id === id)
  return async (): Promise<{ url: string; token: string | null }> => {
    const before = await made?.catch(() => null)
    if (!before || !isThere(before.id)) made = environments.start(EnvironmentSpec.parse({ form: 'command', reward: 'shell-v1', maxSessions: MAX_SESSIONS })) // prettier-ignore
    const { url, token } = await made!
    return { url, token }
  }
}
