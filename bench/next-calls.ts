import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { TrainerEvent } from '#contracts/trainer.ts'
import { report, type Row } from './support/report.ts'

/**
 * How well a real model predicts held-out calls before, during and after it learns similar calls, and how long the evaluation
 * takes. The rows are generated: five kinds of request to three tools; the held-out rows use other files and names.
 * `BASHGYM_PYTHON=…/bin/python npm run bench -- next-calls --model FOLDER [--steps 40] [--chatml]`; `--chatml` is for
 * models with ChatML tokens whose template does not support tools; they get the template of Qwen2.5.
 */
const python = process.env['BASHGYM_PYTHON']
const option = (name: string): string | undefined =>
  process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined
const source = option('--model')
if (python === undefined || source === undefined) {
  console.error(
    'Name a Python with the trainers’ packages and a model: BASHGYM_PYTHON=…/bin/python npm run bench -- next-calls --model FOLDER',
  )
  process.exit(2)
}
const steps = Number(option('--steps') ?? 40)
const trainers = path.join(import.meta.dirname, '..', 'server', 'trainers')
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-next-calls-'))
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONPATH: trainers, HF_HUB_OFFLINE: '1', OMP_WAIT_POLICY: 'PASSIVE', GOMP_SPINCOUNT: '0' } // prettier-ignore
const call = (...args: string[]) => {
  const { status, stderr, stdout } = spawnSync(python, args, { cwd: trainers, env, encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(stderr.slice(-4000))
  return stdout
}

const text = { type: 'string' }
const tool = (name: string, properties: object) => ({ type: 'function', function: { name, description: name, parameters: { type: 'object', properties } } }) // prettier-ignore
const TOOLS = [
  tool('Bash', { command: text }),
  tool('Read', { file_path: text, limit: { type: 'integer' } }),
  tool('Edit', { file_path: text, old_string: text, new_string: text }),
]
type Sort = (file: string, word: string, number: number) => readonly [asked: string, name: string, given: object]
const SORTS: readonly Sort[] = [
  (file) => [`Run the tests in ${file}`, 'Bash', { command: `npx vitest run ${file}` }],
  (file, _, number) => [`Show the first ${number} lines of ${file}`, 'Read', { file_path: file, limit: number }],
  (file, word) => [`Rename ${word} to ${word}Again in ${file}`, 'Edit', { file_path: file, old_string: word, new_string: `${word}Again` }],
  (_, word) => [`Where is ${word} used?`, 'Bash', { command: `rg -n ${word}` }],
  (_, __, number) => [`What changed in the last ${number} commits?`, 'Bash', { command: `git diff --stat HEAD~${number}` }],
]
const rows = (files: readonly string[], words: readonly string[], first: number) =>
  files.flatMap((file, at) =>
    SORTS.map((sort) => {
      const [asked, name, given] = sort(file, words[at % words.length]!, first + at)
      const calls = [{ id: 'c1', type: 'function', function: { name, arguments: given } }]
      return { messages: [{ role: 'user', content: asked }, { role: 'assistant', content: '', tool_calls: calls }], tools: TOOLS } // prettier-ignore
    }),
  )
const write = (name: string, lines: readonly object[]) => {
  fs.writeFileSync(path.join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return path.join(folder, name)
}
const places = ['server/src/app.ts', 'server/src/data-dir/lock.ts', 'renderer/src/main.tsx', 'contracts/src/errors.ts', 'docs/privacy.md', 'scripts/build.mjs', 'hooks/hook.sh', 'e2e/web/axe.spec.ts', 'bench/rows.ts', 'electron/main.ts', 'package.json', 'server/src/db/open.ts', 'README.md', 'server/src/jobs/jobs.ts', 'renderer/src/ui/page.tsx', 'server/src/config.ts'] // prettier-ignore
const train = write('train.jsonl', rows(places, ['openLock', 'startServer', 'readRows', 'makePlan', 'toRun', 'parse', 'Verdict', 'findModel'], 3)) // prettier-ignore
const val = write('val.jsonl', rows(['server/src/workers/pool.ts', 'renderer/src/ui/spark.tsx', 'docs/scoring.md', 'scripts/rooms.mjs', 'contracts/src/fold.ts', 'e2e/cli/help.test.ts'], ['cutFrames', 'listTools', 'useView'], 21)) // prettier-ignore

const model = path.join(folder, 'model')
fs.cpSync(path.resolve(source), model, { recursive: true })
if (process.argv.includes('--chatml')) {
  const put =
    'import sys; sys.path.insert(0, "tests"); from make_tokenizer import qwen_template; open(sys.argv[1], "w").write(qwen_template())'
  call('-c', put, path.join(model, 'chat_template.jinja'))
}
const output = path.join(folder, 'run')
fs.mkdirSync(output)
const config = write('config.json', [
  {
    format: 1, runId: 'bench', strategy: 'sft', model, data: { train, val }, output, method: { kind: 'lora', rank: 8, alpha: 16, dropout: 0 }, learningRate: 5e-4, maxSteps: steps,
    batchSize: 4, microBatch: 4, maxLength: 512, loggingSteps: 1, evalSteps: Math.max(1, Math.floor(steps / 2)), saveSteps: null, samples: 0, nextCalls: 50, device: 'cpu',
  },
]) // prettier-ignore
call('-m', 'bashgym_trainers', 'train', '--config', config)

const events = fs.readFileSync(path.join(output, 'events.jsonl'), 'utf8').trim().split('\n').map((line) => TrainerEvent.parse(JSON.parse(line))) // prettier-ignore
fs.rmSync(folder, { recursive: true, force: true })
const FIGURES = { eval_arg_f1: 'argument F1', eval_exact_call: 'exact', eval_tool_name: 'right tool', eval_call_parse: 'readable', eval_stopped: 'ended' } // prettier-ignore
const share = (value: number | null | undefined) => (typeof value === 'number' ? `${(100 * value).toFixed(0)} %` : 'not measured')
const seconds = (from: number, to: number) => (Date.parse(events[to]!.at) - Date.parse(events[from]!.at)) / 1000
const asking = (at: number) => events.findLastIndex((event, before) => before < at && event.type === 'phase' && event.detail?.startsWith('held-out calls, 0 ') === true) // prettier-ignore
const measured = events.flatMap((event, at) => (event.type === 'progress' && 'eval_arg_f1' in event.metrics ? [{ step: event.step, metrics: event.metrics, sec: seconds(asking(at), at) }] : [])) // prettier-ignore
const plan = events.find((event) => event.type === 'next_calls')
const rate = events.findLast((event) => event.type === 'progress' && event.tokensPerSec !== null)
report(
  'next-calls',
  measured.map(({ step, metrics, sec }): Row => ({
    what: step === 0 ? 'base model' : `after step ${step}`,
    figure: `${Object.entries(FIGURES).map(([name, word]) => `${word} ${share(metrics[name])}`).join(', ')}; asked in ${sec.toFixed(0)} s`,
    limit: '–',
    met: null,
  })),
  { source, steps, plan, measured, rate },
) // prettier-ignore
