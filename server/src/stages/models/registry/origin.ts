import { z } from 'zod'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Model } from '#contracts/entities/model.ts'
import type { Run } from '#contracts/entities/run.ts'
import { readLinked } from '#server/foreign/index.ts'

/** Of a file that a run leaves about itself. */
const MAX_BYTES = 16 << 20

/** Facts of a model that never change after its run. `basePath`: folder or GGUF file of the base model. `folder`: the run's folder. */
export interface Origin {
  /** `mix` is missing if the model was made before data sets could be mixed. */
  lineage: Omit<Model['lineage'], 'parentModelId' | 'mix'> & Partial<Pick<Model['lineage'], 'mix'>>
  training: Model['training']
  basePath: string
  folder: string
  isAdapter: boolean
  /** Files of the rows that the run trained on and evaluated on. */
  files: { train: string | null; val: string | null }
  settings: Record<string, unknown>
  /** sha256 of the data files by path. */
  dataHashes: Record<string, string>
}

const Inputs = z.object({ data: z.record(z.string(), z.string()), model: z.string() })
const Config = z.object({ data: z.object({ train: z.string(), val: z.string().nullish() }) })

/** Collects the facts of a run, some from files in its folder. Facts without a file are null. */
export function originOf(run: Run, dataset: Dataset | null, find: (id: string) => Dataset | null): Origin {
  const inputs = documentOf(run.folder, 'inputs.json', Inputs)
  const config = documentOf(run.folder, 'config.json', Config)
  const { metrics } = run
  return {
    lineage: {
      baseModel: run.baseModel,
      baseRevision: revisionOf(run.baseModelPath),
      baseHash: inputs?.model ?? null,
      strategy: run.strategy,
      datasetId: run.datasetId,
      datasetName: run.datasetName,
      mix: (run.request.mix ?? []).map(({ datasetId, weight }) => ({ datasetId, name: nameOf(find(datasetId)) ?? datasetId, weight })),
      traces: dataset?.sources.length ?? null,
      repos: run.repos,
      teacher: run.teacher,
      teacherAnswers: run.teacherAnswers,
      runId: run.id,
    },
    training: {
      steps: run.step,
      rows: run.rows,
      seenRows: run.seenRows,
      heldOut: run.nextCalls?.digest ?? null,
      tokens: run.tokens,
      trainSec: run.trainSec,
      device: run.device,
      loss: run.loss,
      evalLoss: run.evalLoss,
      metrics,
      spark: run.spark,
      peakMb: run.peakVramMb ?? run.peakRssMb,
    },
    basePath: run.baseModelPath,
    folder: run.folder,
    isAdapter: run.method.kind === 'lora',
    files: { train: config?.data.train ?? null, val: config?.data.val ?? null },
    settings: run.settings,
    dataHashes: inputs?.data ?? {},
  }
}

const nameOf = (dataset: Dataset | null) => dataset && `${dataset.name} v${dataset.version}`

/** The revision of a snapshot in the Hub client's cache. */
const revisionOf = (folder: string): string | null => /\/snapshots\/([0-9a-f]{7,64})(?:\/|$)/.exec(folder)?.[1] ?? null

function documentOf<T>(folder: string, name: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readLinked(folder, name, MAX_BYTES)))
  } catch {
    return null // other engines and earlier versions do not write it
  }
}
