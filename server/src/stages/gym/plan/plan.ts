import fs from 'node:fs'
import path from 'node:path'
import type { ComputeDevice, PlanNote, RunPlan, RunRequest } from '#contracts/entities/run.ts'
import type { Core } from '#server/core.ts'
import type { Materials } from '../materials.ts'
import { KINDS } from '../materials.ts'
import { resolveSettings } from '../settings.ts'
import { rewardColumns } from './check-row.ts'
import { configOf } from './config.ts'
import type { RowsFound, RowsInput } from './rows.job.ts'
import { stepsOf } from './steps.ts'

const ROWS_JOB = new URL('./rows.job.ts', import.meta.url)
/** A form that waits for its plan: lengths are measured this long, the next call goes on. */
const BUDGET_MS = 1500

export interface PlanParts {
  core: Pick<Core, 'workers' | 'paths'>
  materials: (request: RunRequest) => Materials
  devices: () => Promise<readonly ComputeDevice[]>
  /** Argument vector that trains by a config file. */
  command: (config: string) => string[]
  sandbox: () => readonly string[] | null
}

export interface Planned {
  plan: RunPlan
  materials: Materials
}

/** What a start would do. Nothing is written. Throws where the request names what is not there. */
export async function makePlan(parts: PlanParts, request: RunRequest, signal: AbortSignal): Promise<Planned> {
  const materials = parts.materials(request)
  const settings = resolveSettings(request)
  const found = await parts.core.workers.run<RowsFound>(
    ROWS_JOB,
    {
      ...materials.files,
      strategy: request.strategy,
      required: rewardColumns(settings.rewards),
      tokenizer: fs.existsSync(path.join(materials.model.path, 'tokenizer.json')) ? materials.model.path : null,
      maxLength: settings.maxLength,
      budgetMs: BUDGET_MS,
    } satisfies RowsInput,
    { lane: 'query', key: 'training rows', signal }, // its thread keeps what it measured
  )
  const notes = [...dataNotes(request, materials, found)]
  const [device = NO_DEVICE] = await parts.devices()
  const output = path.join(parts.core.paths.models, '…')
  const config = configOf({ runId: 'plan', request, settings, materials, output, sandbox: parts.sandbox() })
  const { lengths } = found
  return {
    materials,
    plan: {
      settings,
      rows: found.rows,
      valRows: found.valRows,
      tokens: lengths?.tokens ?? null,
      trainedTokens: lengths?.trained ?? null,
      tokensExact: lengths?.exact ?? false,
      truncated: lengths?.truncated ?? null,
      longest: lengths?.longest ?? null,
      lengths: lengths?.histogram ?? [],
      ...stepsOf(settings, request.strategy, found.rows),
      parameters: null,
      trainable: null,
      device,
      memory: null,
      fits: 'unknown',
      seconds: null,
      diskBytes: null,
      diskFreeBytes: null,
      notes,
      config: { ...config, runId: undefined },
      command: parts.command(path.join(output, 'config.json')),
    },
  }
}

const NO_DEVICE: ComputeDevice = { kind: 'cpu', name: 'CPU', totalBytes: null, freeBytes: null, cores: null }

const refusal = (code: string, message: string, hint: string | null, where: Partial<Pick<PlanNote, 'row' | 'field'>> = {}): PlanNote => ({
  level: 'refusal',
  code,
  message,
  hint,
  row: where.row ?? null,
  field: where.field ?? null,
})

function* dataNotes({ strategy }: RunRequest, { dataset }: Materials, found: RowsFound): Generator<PlanNote> {
  if (dataset && !KINDS[strategy].includes(dataset.kind)) {
    const message = `${dataset.name} is of kind ${dataset.kind}; ${strategy} learns from ${KINDS[strategy].join(' or ')}.`
    yield refusal('wrong_kind', message, 'Choose another data set, or another strategy.', { field: 'datasetId' })
    return
  }
  const { bad } = found
  if (bad !== null) {
    const where = bad.file === 'train' ? `Row ${bad.row}` : `Row ${bad.row} of the validation file`
    yield refusal('row_invalid', `${where}: ${bad.message}.`, 'Mend the row, or take it out.', { row: bad.row, field: bad.field })
    return
  }
  if (found.rows === 0) yield refusal('empty_data', 'There is no row to train on.', 'Choose data with rows.')
  const { lengths, refused } = found
  if (found.rows > 0 && lengths === null && refused !== null)
    yield refusal('template_refused', refused, 'Choose a base model whose chat template takes such rows.')
  else if (refused !== null) yield { ...refusal('template_refused', refused, null), level: 'warning' }
  if (lengths && lengths.trained === 0 && lengths.measured === found.rows && ['sft'].includes(strategy))
    yield refusal('no_trained_tokens', 'No row has a token that carries loss.', 'Choose rows in which the assistant speaks.')
  if (lengths && lengths.truncated > 0) {
    const share = ((100 * lengths.truncated) / found.rows).toFixed(lengths.truncated * 10 < found.rows ? 1 : 0)
    yield { ...refusal('truncated', `${lengths.truncated} of ${found.rows} rows (${share} %) are longer than the training length and are cut off there.`, 'Raise maxLength, or leave long rows out.'), level: 'warning' } // prettier-ignore
  }
}
