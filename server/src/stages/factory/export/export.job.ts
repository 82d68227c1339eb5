import fs from 'node:fs'
import path from 'node:path'
import type { Dataset, ExportFormat, ExportResult, SplitName } from '#contracts/entities/dataset.ts'
import { sha256Of } from '#server/file-hash.ts'
import { openGate, type Cleared, type GateInput } from '#server/stages/privacy/index.ts'
import type { JobContext } from '#server/workers/thread.ts'
import type { DataRow, RowMetadata } from '../curate/candidate.ts'
import { inVersion } from '../build/folder.ts'
import { createLineFile } from '../build/lines.ts'
import { readLines } from '#server/adapters/outside-rows/lines.ts'
import { cardOf } from './card.ts'
import { datasetInfo } from './dataset-info.ts'
import { writeParquet } from './parquet.ts'
import { BESIDE, shapeOf } from './shape.ts'

export interface ExportInput {
  dataset: Dataset
  /** Folder of the version. */
  from: string
  /** Made by this job; removed again when it fails. */
  to: string
  format: ExportFormat
  split: SplitName | null
  /** The policy of now, if it is not the one that the version was cleared under. */
  gate: GateInput | null
}

type StoredRow = DataRow & { metadata: RowMetadata }
type Written = ExportResult['files'][number]
type Writer = (rows: Iterable<Cleared<StoredRow>>, split: SplitName) => Written[]

const EVERY = 200

/** Writes a version in a format. Rows come cleared from the version; under a newer policy they pass the gate again. */
export default function exportVersion(input: ExportInput, { signal, progress }: Pick<JobContext, 'signal' | 'progress'>): ExportResult {
  const { dataset, format, to } = input
  const gate = input.gate && openGate(input.gate)
  const losses = new Map<string, number>()
  let done = 0
  function* rowsOf(split: SplitName): Generator<Cleared<StoredRow>> {
    for (const { text } of readLines(inVersion(input.from).split(split))) {
      if (done % EVERY === 0) {
        signal.throwIfAborted()
        progress({ phase: 'export', done, total: null, unit: 'rows' })
      }
      done += 1
      const stored = JSON.parse(text) as Cleared<StoredRow> // the gate passed it when the version was built
      yield gate ? gate.clear<StoredRow>(stored, { traceId: stored.metadata.traceId, project: stored.metadata.repo }) : stored
    }
  }
  fs.mkdirSync(to, { recursive: true, mode: 0o700 })
  const write = writerOf(input, (loss) => losses.set(loss, (losses.get(loss) ?? 0) + 1))
  const splits = dataset.files.map(({ split }) => split).filter((split) => input.split === null || split === input.split)
  const files = splits.flatMap((split) => write(rowsOf(split), split))
  const extra = { sharegpt: 'dataset_info.json', alpaca: 'dataset_info.json', hf: 'README.md' }[format as string]
  if (extra) {
    const text = format === 'hf' ? cardOf(dataset, files, gate?.report() ?? dataset.privacy) : datasetInfo(dataset, format, files)
    files.push(writeText(to, extra, text))
  }
  const again = gate
    ? ['The privacy policy has changed since this version was built, so every row was checked again under the current policy.']
    : []
  const lossWarnings = [...losses]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([loss, count]) => `${count} ${count === 1 ? 'row' : 'rows'}: ${loss}`)
  return { format, files, warnings: [...again, ...lossOf(format), ...lossWarnings] }
}

/** What a format loses whatever the row is. */
const lossOf = (format: ExportFormat): string[] =>
  format === 'alpaca' ? ['Alpaca stores only text prompts and answers, so it is unsuitable for training with tools.'] : []

function writerOf({ dataset, format, to }: ExportInput, lose: (loss: string) => void): Writer {
  const { kind } = dataset
  const shape = shapeOf(format)
  if (format === 'parquet')
    return (rows, split) => {
      const file = path.join(to, `${split}.parquet`)
      const count = writeParquet(file, rows, split)
      return [described(to, file, count)]
    }
  return (rows, split) => {
    const folder = format === 'hf' ? path.join(to, 'data') : to
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const name = path.join(folder, `${format === 'hf' && split === 'val' ? 'validation' : split}.jsonl`)
    const file = createLineFile(name)
    const besideName = path.join(to, BESIDE, `${split}.metadata.jsonl`)
    if (!shape.metadata && format !== 'hf') fs.mkdirSync(path.dirname(besideName), { recursive: true, mode: 0o700 })
    const beside = shape.metadata || format === 'hf' ? null : createLineFile(besideName)
    try {
      for (const stored of rows) {
        const { metadata, ...row } = stored
        const shaped = shape.of(row, kind)
        for (const loss of shaped.losses) lose(loss)
        for (const one of shaped.rows) {
          file.write(shape.metadata || format === 'hf' ? { ...one, metadata } : one)
          beside?.write(metadata)
        }
      }
      return [file, ...(beside ? [beside] : [])].map((one, index) => ({
        path: path.relative(to, index === 0 ? name : besideName),
        ...one.close(),
      }))
    } catch (error) {
      file.abandon()
      beside?.abandon()
      throw error
    }
  }
}

function writeText(to: string, name: string, text: string): Written {
  const handle = fs.openSync(path.join(to, name), 'wx', 0o600)
  try {
    fs.writeSync(handle, text)
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
  return described(to, path.join(to, name), 0)
}

function described(to: string, file: string, rows: number): Written {
  return { path: path.relative(to, file), rows, bytes: fs.statSync(file).size, sha256: sha256Of(file) }
}
