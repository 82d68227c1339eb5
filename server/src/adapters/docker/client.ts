/** The connection to Docker Engine, and its errors. */
import { setTimeout as sleep } from 'node:timers/promises'
import type Docker from 'dockerode'
import { EngineLost } from '../sandbox/types.ts'

export const DEFAULT_HOST = 'unix:///var/run/docker.sock'

/** The library has 230 modules, so it is loaded when the Engine is used. */
export async function clientOf(host: string): Promise<Docker> {
  const { default: Client } = await import('dockerode')
  if (host.startsWith('unix://')) return new Client({ socketPath: host.slice('unix://'.length) })
  const url = new URL(host.replace(/^tcp:/, 'http:'))
  return new Client({ protocol: url.protocol === 'https:' ? 'https' : 'http', host: url.hostname, port: Number(url.port || 2375) })
}

interface Failure extends Error {
  code?: string
  /** HTTP status of the Engine's answer; undefined if it did not answer. */
  statusCode?: number
}

/** Throws `EngineLost` if the Engine does not answer. */
export const callEngine = <Answer>(call: Promise<Answer>): Promise<Answer> =>
  call.catch((error: Failure) => {
    if (error.statusCode !== undefined || error instanceof EngineLost) throw error
    throw new EngineLost(`Docker does not answer (${error.message}). Start Docker Engine again; the programs that ran in it have ended.`, {
      cause: error,
    })
  })

/** Like `callEngine`; null if the container or image does not exist, or does not run. */
export const callEngineIfExists = <Answer>(call: Promise<Answer>): Promise<Answer | null> =>
  callEngine(call).catch((error: Failure) => {
    if (error.statusCode === 404 || error.statusCode === 409 || error.statusCode === 304) return null
    throw error
  })

/** Before each further try at a removal. */
const REMOVAL_WAITS_MS = [100, 300, 1000]

/**
 * Removes a container or an image; null if it does not exist. The Engine answers 500 while files of it are still in use ("directory not
 * empty", "device or resource busy"), which passes.
 */
export async function removeFromEngine<Answer>(remove: () => Promise<Answer>): Promise<Answer | null> {
  for (const waitMs of REMOVAL_WAITS_MS) {
    try {
      return await callEngineIfExists(remove())
    } catch (error) {
      if ((error as Failure).statusCode !== 500) throw error
      await sleep(waitMs)
    }
  }
  return callEngineIfExists(remove())
}

/** Why the Engine cannot be used, and how to fix it. */
export function unavailability(error: Failure, host: string): { reason: string; fix: string } {
  switch (error.code) {
    case 'ENOENT':
      return {
        reason: `There is no Docker Engine at ${host}.`,
        fix: 'Install it (apt-get install docker.io) or start it (systemctl start docker); DOCKER_HOST can name another address.',
      }
    case 'ECONNREFUSED':
      return { reason: `Docker Engine is not running at ${host}.`, fix: 'Start it (systemctl start docker).' }
    case 'EACCES':
      return {
        reason: `This user has no permission to use Docker Engine at ${host}.`,
        fix: 'Add the user to the group "docker" and sign in again. Members of that group can become root.',
      }
    default:
      return {
        reason: `Docker Engine at ${host} does not answer (${error.message}).`,
        fix: 'See its log (journalctl -u docker).',
      }
  }
}
