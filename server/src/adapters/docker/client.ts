/** The connection to the Engine, and what its failures mean. */
import Docker from 'dockerode'
import { EngineLost } from '../sandbox/types.ts'

export const DEFAULT_HOST = 'unix:///var/run/docker.sock'

export function clientOf(host: string): Docker {
  if (host.startsWith('unix://')) return new Docker({ socketPath: host.slice('unix://'.length) })
  const url = new URL(host.replace(/^tcp:/, 'http:'))
  return new Docker({ protocol: url.protocol === 'https:' ? 'https' : 'http', host: url.hostname, port: Number(url.port || 2375) })
}

interface Failure extends Error {
  code?: string
  /** Of the Engine's answer; none if it did not answer. */
  statusCode?: number
}

/** Asks the Engine. Throws `EngineLost` if it does not answer. */
export const ask = <Answer>(call: Promise<Answer>): Promise<Answer> =>
  call.catch((error: Failure) => {
    if (error.statusCode !== undefined || error instanceof EngineLost) throw error
    throw new EngineLost(`Docker does not answer any more (${error.message}). Start Docker Engine again; what ran in it has ended.`, {
      cause: error,
    })
  })

/** As `ask`; null if what is asked about is not there, or not running. */
export const askIfThere = <Answer>(call: Promise<Answer>): Promise<Answer | null> =>
  ask(call).catch((error: Failure) => {
    if (error.statusCode === 404 || error.statusCode === 409 || error.statusCode === 304) return null
    throw error
  })

/** Why the Engine cannot be used, and what to do about it. */
export function whyNot(error: Failure, host: string): { reason: string; fix: string } {
  switch (error.code) {
    case 'ENOENT':
      return {
        reason: `There is no Docker Engine at ${host}.`,
        fix: 'Install it (apt-get install docker.io) or start it (systemctl start docker); DOCKER_HOST names another place.',
      }
    case 'ECONNREFUSED':
      return { reason: `Docker Engine is not running at ${host}.`, fix: 'Start it (systemctl start docker).' }
    case 'EACCES':
      return {
        reason: `This user may not use Docker Engine at ${host}.`,
        fix: 'Add the user to the group "docker" and sign in again. Members of that group can become root.',
      }
    default:
      return {
        reason: `Docker Engine at ${host} does not answer (${error.message}).`,
        fix: 'Look into its log (journalctl -u docker).',
      }
  }
}
