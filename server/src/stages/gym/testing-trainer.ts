import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

// Stands in for the Python trainers in tests: `node testing-trainer.ts … --config FILE`. It does what play.json in the
// folder of its base model says, and speaks to the server as they do.

export interface Play {
  steps: number
  stepMs?: number
  /** How it ends at its last step, or at `at`. */
  end?: 'complete' | 'failed' | 'exit' | 'kill' | 'hang'
  at?: number
  /** Steps that leave a checkpoint. */
  saveEvery?: number
  /** A step before which a line that is no event is written, one at which the loss is not finite, one with a torn line. */
  garbageAt?: number
  nanAt?: number
  /** Ends only by force, and has a child that does too. */
  stubborn?: boolean
  /** It dies by itself only the first time. */
  once?: boolean
}

const config = JSON.parse(fs.readFileSync(process.argv.at(-1)!, 'utf8')) as { model: string; output: string }
const play = JSON.parse(fs.readFileSync(path.join(config.model, 'play.json'), 'utf8')) as Play
const file = path.join(config.output, 'events.jsonl')
let seq = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').length - 1 : 0
const tell = (type: string, fields: object = {}) => {
  seq += 1
  fs.appendFileSync(file, `${JSON.stringify({ seq, at: new Date().toISOString(), type, ...fields })}\n`, { mode: 0o600 })
}

const checkpoints = fs.readdirSync(config.output).flatMap((name) => /^checkpoint-(\d+)$/.exec(name)?.[1] ?? [])
const from = Math.max(0, ...checkpoints.map(Number))
const save = (step: number) => {
  const folder = path.join(config.output, `checkpoint-${step}`)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(folder, 'trainer_state.json'), '{}')
  tell('checkpoint', { step, path: `checkpoint-${step}`, best: false })
}
const wish = (): string | null => {
  const control = path.join(config.output, 'control.json')
  if (!fs.existsSync(control)) return null
  const { action } = JSON.parse(fs.readFileSync(control, 'utf8')) as { action: string }
  fs.rmSync(control)
  return action
}
const memory = { rss: 100, vram: null }

if (play.stubborn) {
  process.on('SIGTERM', () => undefined)
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  fs.writeFileSync(path.join(config.output, 'child'), String(child.pid))
} else {
  process.on('SIGTERM', () => {
    tell('stopped', { how: 'cancelled', step: 0, checkpoint: null })
    process.exit(76)
  })
}

process.stderr.write('a line on standard error\n')
tell('phase', { phase: 'loading', detail: null })
tell('plan', { rows: 4, valRows: 0, tokens: 40, trainedTokens: 20, truncated: 0, longest: 10, totalSteps: play.steps, parameters: 8, trainable: 8, device: 'cpu' }) // prettier-ignore
tell('phase', { phase: 'training', detail: from > 0 ? `from checkpoint-${from}` : null })
const isFirst = !fs.existsSync(path.join(config.output, 'died'))
for (let step = from + 1; step <= play.steps; step += 1) {
  await sleep(play.stepMs ?? 1)
  if (play.garbageAt === step) fs.appendFileSync(file, '{"seq": "this is no event"}\n')
  const loss = play.nanAt === step ? null : 10 / step
  tell('progress', { step, totalSteps: play.steps, epoch: step / play.steps, tokens: step * 10, tokensPerSec: 100, etaSec: 1, metrics: { loss, learning_rate: 0.001 }, notFinite: loss === null ? ['loss'] : [], memoryMb: memory }) // prettier-ignore
  if (play.saveEvery && step % play.saveEvery === 0) save(step)
  const action = wish()
  if (action === 'pause') {
    save(step)
    tell('stopped', { how: 'paused', step, checkpoint: `checkpoint-${step}` })
    process.exit(75)
  }
  if (action === 'save_stop') {
    save(step)
    tell('complete', { step, artifact: 'final', trainSec: 1, peakMb: memory, stoppedEarly: true })
    process.exit(0)
  }
  if (step === play.at && (isFirst || !play.once)) {
    fs.writeFileSync(path.join(config.output, 'died'), '')
    if (play.end === 'exit') process.exit(3)
    if (play.end === 'kill') {
      fs.appendFileSync(file, `{"seq": ${seq + 1}, "type": "progr`)
      process.kill(process.pid, 'SIGKILL')
    }
    if (play.end === 'failed') {
      tell('failed', { code: 'row_invalid', message: 'Row 3 has no messages.', row: 3, field: 'messages' })
      process.exit(1)
    }
    if (play.end === 'hang') await sleep(600_000)
  }
}
tell('complete', { step: play.steps, artifact: 'final', trainSec: 1, peakMb: memory, stoppedEarly: false })
