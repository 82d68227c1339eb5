/** What every engine refuses in the same words. Throws `NotRun`. */
import path from 'node:path'
import type { MachineLimits } from './machine.ts'
import { NotRun } from './types.ts'

export function requireAbsolute(place: string, what: string): void {
  if (!path.isAbsolute(place) || path.normalize(place) !== place || (place !== '/' && place.endsWith('/')) || place.includes('\0'))
    throw new NotRun('invalid_request', `${what} ${JSON.stringify(place)} is no plain absolute path.`)
}

export function requireEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0'))
      throw new NotRun('invalid_request', `env: ${JSON.stringify(name)} is no variable that can be set.`)
}

export function requireLimits(limits: MachineLimits): void {
  for (const [name, value] of Object.entries(limits))
    if (!(value > 0) || (name !== 'cpus' && !Number.isSafeInteger(value)))
      throw new NotRun('invalid_request', `limits.${name}: ${value} is no limit.`)
}

export const isIn = (place: string, folder: string) => place === folder || place.startsWith(folder === '/' ? '/' : `${folder}/`)
