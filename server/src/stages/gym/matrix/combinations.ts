import path from 'node:path'
import type { MatrixValue, MatrixValues } from '#contracts/entities/matrix-values.ts'
import type { MatrixAxes, MatrixRequest } from '#contracts/entities/run-matrix.ts'
import { RunRequest } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import { lookup } from '#contracts/lookup.ts'
import { plainWords } from '#contracts/plain-words.ts'

export interface Combination {
  values: MatrixValues
  request: RunRequest
}

/** A request for every combination, the last axis changing first. Throws `invalid_request`, which names the combination. */
export function combinationsOf({ axes, ...request }: MatrixRequest): Combination[] {
  return product(axes).map((values) => ({ values, request: requestFor(request, values, Object.keys(axes)) }))
}

function product(axes: MatrixAxes): MatrixValues[] {
  return Object.entries(axes).reduce<MatrixValues[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
}

const LONGEST_NAME = 120

function requestFor(request: RunRequest, values: MatrixValues, varied: readonly string[]): RunRequest {
  const settings: Record<string, unknown> = lookup({ ...request.settings })
  let baseModel: unknown = request.baseModel
  for (const [name, value] of Object.entries(values)) {
    const [whole = '', part] = name.split('.')
    if (name === 'baseModel') baseModel = value
    else if (part === undefined) settings[whole] = value
    else if (name === 'method.kind' && value === 'full') settings['method'] = { kind: 'full' } // nothing of an adapter
    else settings[whole] = lookup({ ...(whole === 'method' && { kind: 'lora' }), ...(settings[whole] as object | null), [part]: value })
  }
  const read = RunRequest.safeParse({ ...request, name: nameOf(request, values), baseModel, settings })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue!.path[0] === 'settings' ? issue!.path.slice(1) : issue!.path
  throw new AppError('invalid_request', {
    message: `${wordsOf(values)} cannot be tried: ${place.length === 0 ? '' : `${place.join('.')}: `}${plainWords(issue!)}`,
    hint: `The settings to vary are ${varied.join(', ')}. \`bashgym train --help\` lists all settings with their values.`,
  })
}

/** The values are in the name, so that queue and lists distinguish the runs; a long first part is cut for them. */
function nameOf({ name, baseModel, strategy }: RunRequest, values: MatrixValues): string {
  const what = wordsOf(values)
  const own = name ?? (Object.hasOwn(values, 'baseModel') ? strategy : `${path.basename(baseModel)} ${strategy}`)
  const left = LONGEST_NAME - what.length - 2
  return left > 0 ? `${own.slice(0, left)}: ${what}` : what.slice(0, LONGEST_NAME)
}

export const wordsOf = (values: MatrixValues): string =>
  Object.entries(values)
    .map(([name, value]) => (name === 'baseModel' ? path.basename(String(value)) : `${name} ${wordOf(value)}`))
    .join(', ')

const wordOf = (value: MatrixValue): string => (Array.isArray(value) ? value.join('+') : String(value))
