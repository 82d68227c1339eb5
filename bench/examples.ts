import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { makeExamples } from '#server/stages/factory/examples/make.ts'
import { importHistory } from './support/archive.ts'
import { report } from './support/report.ts'

/**
 * Makes segments and examples of stored sessions on one thread, with bodies from the archive (at least 50 sessions/s), and
 * compares it with JSON.parse of the same lines. The history has the published size profile without its largest file; the
 * privacy filter is not included.
 *
 *     npm run bench -- examples [--files N]
 */
const { values } = parseArgs({ options: { files: { type: 'string', default: '200' } }, allowPositionals: true })
const FILES = Number(values.files)
const WANTED = 50

const { core, claude, bytes } = await importHistory('examples', FILES)

const files = fs.globSync('**/*.jsonl', { cwd: claude }).map((name) => path.join(claude, name))
const sizes = files.map((file) => fs.statSync(file).size)
const median = sizes.toSorted((a, b) => a - b)[sizes.length >> 1]!
const parseStarted = performance.now()
for (const file of files) for (const line of fs.readFileSync(file, 'utf8').split('\n')) if (line) JSON.parse(line)
const parseMs = performance.now() - parseStarted

const db = readOnlyOfThread(core.paths.database)
const ids = core.db.prepare<[], { id: string }>('SELECT id FROM traces').all()
const options = ExampleOptions.parse({})
const times: number[] = []
let examples = 0
for (const { id } of ids) {
  const started = performance.now()
  examples += makeExamples(db, { archive: core.paths.archive, traceId: id, options })!.examples.length
  times.push(performance.now() - started)
}
const ms = times.reduce((a, b) => a + b, 0)
const perSecond = ids.length / (ms / 1000)
const typical = times.toSorted((a, b) => a - b)[times.length >> 1]!
report(
  'examples',
  [
    {
      what: 'typical session (median)',
      figure: `${typical.toFixed(1)} ms, ${(1000 / typical).toFixed(0)}/s`,
      limit: `≥ ${WANTED}/s`,
      met: 1000 / typical >= WANTED,
    },
    { what: 'all sessions of the profile', figure: `${perSecond.toFixed(0)} sessions/s`, limit: `≥ ${WANTED}/s`, met: perSecond >= WANTED },
    { what: 'against JSON.parse of the same bytes', figure: `${(ms / parseMs).toFixed(2)} × its time`, limit: '–', met: null },
  ],
  { sessions: ids.length, bytes, median, examples, ms, parseMs, perSecond, typicalMs: typical, rssMb: process.memoryUsage().rss / 1e6 },
)
await core.close()
fs.rmSync(claude, { recursive: true, force: true })
