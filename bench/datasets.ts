import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { parseArgs } from 'node:util'
import type { DatasetBuilt } from '#contracts/entities/dataset.ts'
import { createDeduplicator } from '#server/stages/factory/curate/duplicates.ts'
import { textOfRow } from '#server/stages/factory/curate/text.ts'
import { testDatasets, testRow } from '#server/stages/factory/versions/testing-rows.ts'
import { openCore } from '#server/testing/core.ts'
import { report } from './support/report.ts'

/**
 * Near deduplication of 100,000 examples; and a data set of 50,000 rows that is built, split, cleared by the privacy
 * filter, scanned again and exported. Each part runs in its own process and reports its peak memory.
 *
 *     npm run bench -- datasets [--examples N] [--rows N]
 */
const { values } = parseArgs({
  options: { examples: { type: 'string', default: '100000' }, rows: { type: 'string', default: '50000' }, only: { type: 'string' } },
  allowPositionals: true,
})
const [examples, rows] = [Number(values.examples), Number(values.rows)]
const WORDS = 200

interface Figure {
  what: string
  seconds: number
  detail: string
}

function dedup(): Figure[] {
  // Every tenth text repeats the one before with a different ending.
  const textFor = (index: number) =>
    `${textOfRow(testRow('sft', 0, index % 10 === 9 ? index - 1 : index, WORDS))} ${index % 10 === 9 ? 'and so on' : ''}`
  const deduplicator = createDeduplicator({ near: true, threshold: 0.9 })
  const started = performance.now()
  for (let index = 0; index < examples; index += 1) deduplicator.add({ id: `e${index}`, quality: null }, textFor(index))
  const signed = performance.now()
  const gone = deduplicator.duplicates(textFor)
  const done = performance.now()
  return [
    { what: `sign ${examples} examples of ${textFor(0).split(' ').length} words`, seconds: (signed - started) / 1000, detail: '' },
    { what: 'find what repeats', seconds: (done - signed) / 1000, detail: `${gone.length} found` },
  ]
}

async function whole(): Promise<Figure[]> {
  const core = openCore({ workers: { bulk: 2, live: 1, query: 1 } })
  const { build, datasets } = testDatasets(core, { sessions: rows / 10, perSession: 10, words: WORDS })
  const started = performance.now()
  const job = await build({ split: { val: 0.1, test: 0.05 } })
  if (job.error) throw new Error(job.error.message)
  const { id, counts, files } = job.result as DatasetBuilt
  const built = performance.now()
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const figures = [
    {
      what: `build ${rows} rows`,
      seconds: (built - started) / 1000,
      detail: `${counts.train} + ${counts.val} + ${counts.test} rows, ${(bytes / 1e6).toFixed(0)} MB`,
    },
  ]
  for (const format of ['nemo', 'hf', 'parquet'] as const) {
    const from = performance.now()
    await datasets.export(id, { format }, new AbortController().signal)
    figures.push({ what: `export ${format}`, seconds: (performance.now() - from) / 1000, detail: '' })
  }
  await core.close()
  return figures
}

const PARTS: Record<string, () => Figure[] | Promise<Figure[]>> = { dedup, whole }

if (values.only !== undefined) {
  const figures = await PARTS[values.only]!()
  // VmHWM is the peak resident memory; without /proc, use getrusage.
  const status = fs.existsSync('/proc/self/status') ? fs.readFileSync('/proc/self/status', 'utf8') : ''
  const peakKb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS)
  console.log(JSON.stringify({ figures, peakMb: peakKb / 1024 }))
} else {
  const results = Object.keys(PARTS).map((part) => {
    const args = [import.meta.filename, '--only', part, '--examples', String(examples), '--rows', String(rows)]
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
    if (status !== 0) throw new Error(`${part} ended with ${status}`)
    return { part, ...(JSON.parse(stdout) as { figures: Figure[]; peakMb: number }) }
  })
  report(
    'datasets',
    results.flatMap(({ figures, peakMb }) =>
      figures.map(({ what, seconds, detail }) => ({
        what: detail ? `${what} (${detail})` : what,
        figure: `${seconds.toFixed(1)} s, ${peakMb.toFixed(0)} MB peak`,
        limit: '–',
        met: null,
      })),
    ),
    { examples, rows, results },
  )
}
