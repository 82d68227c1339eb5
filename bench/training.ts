import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { report, type Row } from './support/report.ts'

/**
 * Compares the trainers with plain scripts that call TRL with the same settings: tokens per second, peak memory, cost of
 * our callbacks, and gain of packing and grouping by length. BASHGYM_PYTHON must name a Python with the trainers' packages.
 * `npm run bench -- training --rounds 3 --device cuda --model 1.5b-random`
 */
interface Task {
  task: string
  ratio: number
  processorRatio: number
  memoryRatio: number
  tokensPerSec: { ours: number; plain: number }
  peakMb: { ours: number; plain: number }
  callbackMsPerStep: number
  stepMs: number
}
interface Gain {
  rows: string
  steps: number
  tokensPerSec: number
  peakMb: number
}

const SPEED = 0.98
const MEMORY = 1.02

const root = path.join(import.meta.dirname, '..')
const python = process.env['BASHGYM_PYTHON']
if (python === undefined) {
  console.error('Name a Python with the trainers’ packages: BASHGYM_PYTHON=…/bin/python npm run bench -- training')
  process.exit(2)
}
const { status, stdout } = spawnSync(python, [path.join(root, 'bench', 'training.py'), ...process.argv.slice(2)], {
  env: { ...process.env, PYTHONPATH: path.join(root, 'server', 'trainers') },
  stdio: ['ignore', 'pipe', 'inherit'],
  encoding: 'utf8',
})
if (status !== 0) process.exit(status ?? 1)
const results = JSON.parse(stdout) as { device: string; tasks: Task[]; gains?: Gain[] }

const rows: Row[] = results.tasks.flatMap((task) => [
  {
    what: `${task.task}: tokens/s, ours / plain`,
    figure: `${task.tokensPerSec.ours} / ${task.tokensPerSec.plain} = ${task.ratio}, by processor time ${task.processorRatio}`,
    limit: `≥ ${SPEED} ×`,
    // wall time includes other work on the machine, so the CPU uses CPU time; on a GPU, CPU time is meaningless
    met: (results.device === 'cpu' ? task.processorRatio : task.ratio) >= SPEED,
  },
  {
    what: `${task.task}: peak memory, ours / plain`,
    figure: `${task.peakMb.ours} / ${task.peakMb.plain} MB = ${task.memoryRatio}`,
    limit: `≤ ${MEMORY} ×`,
    met: task.memoryRatio <= MEMORY,
  },
  { what: `${task.task}: time of our callbacks per step`, figure: `${task.callbackMsPerStep} of ${task.stepMs} ms`, limit: '–', met: null },
])
for (const gain of results.gains ?? []) {
  rows.push({
    what: `SFT, rows ${gain.rows}`,
    figure: `${gain.tokensPerSec} tokens/s, ${gain.steps} steps, ${gain.peakMb} MB`,
    limit: '–',
    met: null,
  })
}
report('training', rows, { ...results })
