import fs from 'node:fs'
import path from 'node:path'
import type { Dataset, ExportFormat, ExportResult, SplitName } from '#contracts/entities/dataset.ts'
import { sha256Of } from '#server/file-hash.ts'
import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { DataRow, RowMetadata } from '../curate/candidate.ts'
import { versionFiles, writeNewFile } from '../versions/folder.ts'
import { createLineFile } from '../versions/lines.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import { cardOf } from './card.ts'
import { datasetInfo } from './dataset-info.ts'
import { writeParquet } from './parquet.ts'
import { METADATA_FOLDER, shapeOf } from './shape.ts'

export interface ExportInput {
  dataset: Dataset
  /** Folder of the version. */
  from: string
  /** Created by this job; the caller deletes it on failure. */
  to: string
  format: ExportFormat
  split: SplitName | null
  /** The current policy, if the version was cleared under another one. */
  gate: GateInput | null
  /** Planted phrases, which are only for models that are trained here. */
  canaries: readonly string[]
}

type StoredRow = DataRow & { metadata: RowMetadata }
type WrittenFile = ExportResult['files'][number]
type Writer = (rows: Iterable<Cleared<StoredRow>>, split: SplitName) => WrittenFile[]

const PROGRESS_EVERY = 200

/** Writes a version in a format. Its rows are cleared already; under a newer policy they pass the gate again. */
export default function exportVersion(input: ExportInput, { signal, progress }: Pick<JobContext, 'signal' | 'progress'>): ExportResult {
  const { dataset, format, to } = input
  const gate = input.gate && openGate(input.gate)
  const losses = new Map<string, number>()
  let done = 0
  function* rowsOf(split: SplitName): Generator<Cleared<StoredRow>> {
    for (const { text } of readLines(versionFiles(input.from).split(split))) {
      if (done % PROGRESS_EVERY === 0) {
        signal.throwIfAborted()
        progress({ phase: 'export', done, total: null, unit: 'rows' })
      }
      done += 1
      const stored = JSON.parse(withoutCanaries(text, input.canaries)) as Cleared<StoredRow> // the gate passed it when the version was built
      yield gate ? gate.clear<StoredRow>(stored, { traceId: stored.metadata.traceId, project: stored.metadata.repo }) : stored
    }
  }
  fs.mkdirSync(to, { recursive: true, mode: 0o700 })
  const write = createWriter(input, (loss) => losses.set(loss, (losses.get(loss) ?? 0) + 1))
  const splits = dataset.files.map(({ split }) => split).filter((split) => input.split === null || split === input.split)
  const files = splits.flatMap((split) => write(rowsOf(split), split))
  const extra = { sharegpt: 'dataset_info.json', alpaca: 'dataset_info.json', hf: 'README.md' }[format as string]
  if (extra) {
    const text = format === 'hf' ? cardOf(dataset, files, gate?.report() ?? dataset.privacy) : datasetInfo(dataset, format, files)
    const file = path.join(to, extra)
    writeNewFile(file, text)
    files.push(describeFile(to, file, 0))
  }
  const policyWarnings = gate
    ? ['The privacy policy has changed since this version was built, so every row was checked again under the current policy.']
    : []
  const lossWarnings = [...losses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([loss, count]) => `${count} ${count === 1 ? 'row' : 'rows'}: ${loss}`)
  return { format, files, warnings: [...policyWarnings, ...formatLosses(format), ...lossWarnings] }
}

/** A row as JSON without the phrases at the end of its answers. */
const withoutCanaries = (text: string, canaries: readonly string[]): string =>
  canaries.reduce((left, canary) => left.replace(`\\n\\n${canary}`, '').replace(canary, ''), text)

/** Losses that do not depend on the row. */
const formatLosses = (format: ExportFormat): string[] =>
  format === 'alpaca' ? ['Alpaca stores only text prompts and answers, so it is unsuitable for training with tools.'] : []

function createWriter({ dataset, format, to }: ExportInput, addLoss: (loss: string) => void): Writer {
  const { kind } = dataset
  const shape = shapeOf(format)
  if (format === 'parquet')
    return (rows, split) => {
      const file = path.join(to, `${split}.parquet`)
      const count = writeParquet(file, rows, split)
      return [describeFile(to, file, count)]
    }
  return (rows, split) => {
    const folder = format === 'hf' ? path.join(to, 'data') : to
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const name = path.join(folder, `${format === 'hf' && split === 'val' ? 'validation' : split}.jsonl`)
    const file = createLineFile(name)
    const metadataPath = path.join(to, METADATA_FOLDER, `${split}.metadata.jsonl`)
    if (!shape.metadata && format !== 'hf') fs.mkdirSync(path.dirname(metadataPath), { recursive: true, mode: 0o700 })
    const metadataFile = shape.metadata || format === 'hf' ? null : createLineFile(metadataPath)
    try {
      for (const stored of rows) {
        const { metadata, ...row } = stored
        const shaped = shape.convert(row, kind)
        for (const loss of shaped.losses) addLoss(loss)
        for (const one of shaped.rows) {
          file.write(shape.metadata || format === 'hf' ? { ...one, metadata } : one)
          metadataFile?.write(metadata)
        }
      }
      return [file, ...(metadataFile ? [metadataFile] : [])].map((one, index) => ({
        path: path.relative(to, index === 0 ? name : metadataPath),
        ...one.close(),
      }))
    } catch (error) {
      file.abandon()
      metadataFile?.abandon()
      throw error
    }
  }
}

function describeFile(to: string, file: string, rows: number): WrittenFile {
  return { path: path.relative(to, file), rows, bytes: fs.statSync(file).size, sha256: sha256Of(file) }
}
