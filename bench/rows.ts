import fs from 'node:fs'
import { parseArgs } from 'node:util'
import { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import { makeExamples } from '#server/stages/factory/examples/make.ts'
import { encoderOf, measureSizes, windowsOf } from '#server/stages/factory/preview/measuring.ts'
import { importHistory } from './support/archive.ts'
import { report } from './support/report.ts'

/**
 * Share of the loss tokens of a generated history's examples that is trained at each row length, for rows split between
 * turns and for rows cut at their end (the earlier method). Tokens are counted by the estimator or by a tokenizer in a folder.
 *
 *     npm run bench -- rows [--files N] [--tokenizer FOLDER]
 */
const { values } = parseArgs({
  options: { files: { type: 'string', default: '60' }, tokenizer: { type: 'string' } },
  allowPositionals: true,
})
const LENGTHS = [2048, 4096, 8192, 16_384]
const WANTED = 0.95

const { core, claude } = await importHistory('rows', Number(values.files))

const db = readOnlyOfThread(core.paths.database)
const encoder = encoderOf(values.tokenizer ?? null)
const options = ExampleOptions.parse({})
const sums = LENGTHS.map((length) => ({ length, rows: 0, tokens: 0, trained: 0, cut: 0, leftOut: 0 }))
let [examples, tokens, learnable, excluded, answers, context, endsOnResult] = [0, 0, 0, 0, 0, 0, 0]
const started = performance.now()
for (const { id } of core.db.prepare<[], { id: string }>('SELECT id FROM traces').all()) {
  const made = makeExamples(db, { archive: core.paths.archive, traceId: id, options })!
  excluded += made.excluded.length
  for (const { messages, tools } of made.examples) {
    const measured = measureSizes(encoder, { messages, tools })
    if ('reason' in measured) throw new Error(measured.message)
    const turns = measured.sizes.kind === 'turns' ? measured.sizes.turns : []
    examples += 1
    endsOnResult += messages.at(-1)!.role === 'tool' ? 1 : 0
    tokens += measured.tokens
    learnable += measured.trained
    answers += turns.length
    context += turns.filter(({ trained }) => !trained).length
    for (const sum of sums) {
      const { windows, leftOut } = windowsOf(turns, sum.length)
      sum.rows += windows.length
      sum.leftOut += leftOut.length
      for (const { first, lossStart, end } of windows)
        turns.slice(first, end).forEach(({ before, answer, head, trained }, index) => {
          sum.tokens += answer + (index === 0 && first > 0 ? head : before)
          if (first + index >= lossStart && trained) sum.trained += answer
        })
      let at = 0
      for (const { before, answer, trained } of turns) {
        at += before + answer
        if (trained) sum.cut += Math.max(0, Math.min(answer, sum.length - at + answer))
      }
    }
  }
}
const seconds = (performance.now() - started) / 1000
const percent = (value: number) => `${(100 * value).toFixed(1)} %`
report(
  'rows',
  [
    { what: `examples; excluded; that end on a tool result`, figure: `${examples}; ${excluded}; ${endsOnResult}`, limit: '–', met: null },
    { what: 'answers; of those context only', figure: `${answers}; ${context}`, limit: '–', met: null },
    ...sums.map(({ length, rows, tokens: computed, trained, cut, leftOut }) => ({
      what: `share of loss tokens trained at ${length} (cut at the end: ${percent(cut / learnable)})`,
      figure: `${percent(trained / learnable)}, ${rows} rows, ${leftOut} answers left out, ${(computed / tokens).toFixed(2)} × the tokens`,
      limit: `≥ ${percent(WANTED)}`,
      met: trained / learnable >= WANTED,
    })),
  ],
  { examples, excluded, endsOnResult, answers, context, tokens, learnable, sums, seconds },
)
await core.close()
fs.rmSync(claude, { recursive: true, force: true })
