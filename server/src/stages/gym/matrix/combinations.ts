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

/** A request for every combination; the last axis varies fastest. Throws `invalid_request` with the combination at fault. */
export function combinationsOf({ axes, ...request }: MatrixRequest): Combination[] {
  return product(axes).map((values) => ({ values, request: requestFor(request, values, Object.keys(axes)) }))
}

function product(axes: MatrixAxes): MatrixValues[] {
  return Object.entries(axes).reduce<MatrixValues[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  )
}

const MAX_NAME_LENGTH = 120

function requestFor(request: RunRequest, values: MatrixValues, axisNames: readonly string[]): RunRequest {
  const settings: Record<string, unknown> = lookup({ ...request.settings })
  let baseModel: unknown = request.baseModel
  for (const [name, value] of Object.entries(values)) {
    const [setting = '', field] = name.split('.')
    if (name === 'baseModel') baseModel = value
    else if (field === undefined) settings[setting] = value
    else if (name === 'method.kind' && value === 'full') settings['method'] = { kind: 'full' } // without settings of an adapter
    else
      settings[setting] = lookup({ ...(setting === 'method' && { kind: 'lora' }), ...(settings[setting] as object | null), [field]: value })
  }
  const parsed = RunRequest.safeParse({ ...request, name: nameOf(request, values), baseModel, settings })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue!.path[0] === 'settings' ? issue!.path.slice(1) : issue!.path
  throw new AppError('invalid_request', {
    message: `${textOfValues(values)} cannot be tried: ${place.length === 0 ? '' : `${place.join('.')}: `}${plainWords(issue!)}`,
    hint: `The settings to vary are ${axisNames.join(', ')}. \`bashgym train --help\` lists all settings with their values.`,
  })
}

/** The name ends with the values, so that lists can tell the runs apart. Its first part is cut if the name is too long. */
function nameOf({ name, baseModel, strategy }: RunRequest, values: MatrixValues): string {
  const valuesText = textOfValues(values)
  const firstPart = name ?? (Object.hasOwn(values, 'baseModel') ? strategy : `${path.basename(baseModel)} ${strategy}`)
  const available = MAX_NAME_LENGTH - valuesText.length - 2
  return available > 0 ? `${firstPart.slice(0, available)}: ${valuesText}` : valuesText.slice(0, MAX_NAME_LENGTH)
}

export const textOfValues = (values: MatrixValues): string =>
  Object.entries(values)
    .map(([name, value]) => (name === 'baseModel' ? path.basename(String(value)) : `${name} ${textOfValue(value)}`))
    .join(', ')

const textOfValue = (value: MatrixValue): string => (Array.isArray(value) ? value.join('+') : String(value))
