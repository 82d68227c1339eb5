import path from 'node:path'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import type { LengthReport, Preview } from '#contracts/entities/preview.ts'
import { AppError } from '#contracts/errors.ts'
import { implement } from '#contracts/derive/route.ts'
import { listTokenizers, measureLengths, previewRow } from '#contracts/routes/preview.ts'
import type { Core } from '#server/core.ts'
import type { LengthsInput } from './lengths.job.ts'
import { knownTokenizers, problemOf } from './known-tokenizers.ts'
import type { PreviewInput } from './preview.job.ts'
import { conversationsOf } from './rows.ts'

const PREVIEW_JOB = new URL('./preview.job.ts', import.meta.url)
const LENGTHS_JOB = new URL('./lengths.job.ts', import.meta.url)

export interface PreviewDeps {
  /** The cleared messages of an example. Throws `not_found`. */
  example: (id: string) => Promise<{ messages: ChatMessage[]; tools: ToolSchema[] }>
  /** A row of a data set. Throws `not_found`. */
  row: (dataset: string, index: number) => Promise<unknown>
  /** The files of a data set with their number of rows. Throws `not_found`. */
  files: (dataset: string) => { path: string; rows: number }[]
  /** Tokenizer folders of the settings. */
  tokenizers: () => readonly string[]
}

/** Previews of what a base model will see, without a GPU. */
export function previewRoutes({ config, jobs, workers }: Core, deps: PreviewDeps) {
  const requireTokenizer = (tokenizer: string | null): string | null => {
    const problem = tokenizer === null ? null : problemOf(tokenizer)
    if (problem === null) return tokenizer
    throw new AppError('tokenizer_invalid', { message: problem, hint: 'Choose a folder with tokenizer.json and tokenizer_config.json.' })
  }
  const conversation = async (row: typeof previewRow.body._output.row) => {
    if ('messages' in row) return row
    if ('example' in row) return deps.example(row.example)
    const [first] = conversationsOf(await deps.row(row.dataset, row.index)) ?? []
    if (!first) throw new AppError('not_found', { message: `Row ${row.index} of this data set has neither messages nor a prompt.` })
    return first
  }

  return [
    implement(listTokenizers, () => ({
      items: knownTokenizers({ named: deps.tokenizers(), hubCache: config.hubCache, models: path.join(config.dataDir, 'models') }),
    })),
    implement(previewRow, async ({ body: { row, tokenizer, template, maxTokens, part }, signal }) => {
      const { messages, tools } = await conversation(row)
      const input: PreviewInput = { tokenizer: requireTokenizer(tokenizer), template, messages, tools, maxTokens, part }
      return workers.run<Preview>(PREVIEW_JOB, input, { lane: 'query', key: 'preview', signal })
    }),
    implement(measureLengths, ({ body: { dataset, tokenizer, template, maxTokens } }) => {
      const files = deps.files(dataset)
      const total = files.reduce((sum, { rows }) => sum + rows, 0)
      const input: LengthsInput = { tokenizer: requireTokenizer(tokenizer), template, files: files.map((file) => file.path), maxTokens }
      return jobs.start(
        'lengths',
        ({ signal, progress }) =>
          workers.run<LengthReport>(LENGTHS_JOB, input, {
            lane: 'bulk',
            signal,
            onProgress: (done) => progress({ phase: 'tokenising', done: Number(done), total, unit: 'rows' }),
          }),
        { subject: dataset, atOnce: 1 },
      )
    }),
  ]
}
