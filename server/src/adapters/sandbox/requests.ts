/** Checks of requests that are the same for every engine; they throw `NotRun`. */
import path from 'node:path'
import type { MachineLimits, MachineProgram } from './machine.ts'
import { NotRun } from './types.ts'

export function requireAbsolute(place: string, what: string): void {
  if (!path.isAbsolute(place) || path.normalize(place) !== place || (place !== '/' && place.endsWith('/')) || place.includes('\0'))
    throw new NotRun('invalid_request', `${what} ${JSON.stringify(place)} is not a plain absolute path.`)
}

export function requireEnv(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0'))
      throw new NotRun('invalid_request', `env: ${JSON.stringify(name)} is not a valid variable.`)
}

export function requireLimits(limits: MachineLimits): void {
  for (const [name, value] of Object.entries(limits))
    if (!(value > 0) || (name !== 'cpus' && !Number.isSafeInteger(value)))
      throw new NotRun('invalid_request', `limits.${name}: ${value} is not a valid limit.`)
}

export function requireProgram({ argv, cwd, env = {} }: MachineProgram): void {
  requireEnv(env)
  if (cwd !== undefined) requireAbsolute(cwd, 'cwd')
  if (argv.length === 0) throw new NotRun('invalid_request', 'argv: there is no program.')
}

export const diskLimitExceeded = (bytes: number, limit: number): string =>
  `The machine was stopped: its files use ${bytes} bytes of disk, more than the limit of ${limit} bytes.`

export const isIn = (place: string, folder: string) => place === folder || place.startsWith(folder === '/' ? '/' : `${folder}/`)
