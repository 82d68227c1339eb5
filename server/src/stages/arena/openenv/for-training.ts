import { EnvironmentSpec } from '#contracts/entities/environment.ts'
import type { Environments } from './service.ts'

/** As many as there may be: how many sandboxes run at a time is the arena's to say. */
const MAX_SESSIONS = 1024

/** The environment that the training runs of this server share, made when one first asks for it. */
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
