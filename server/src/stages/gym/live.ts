import type { NextCalls, TeacherAnswers, TrainerEvent } from '#contracts/trainer.ts'
import type { Position, Values } from './metrics/blocks.ts'
import { addToPace, NO_PACE, type Pace } from './pace.ts'
import { addToSpark, EMPTY_SPARK, type Spark } from './spark.ts'

/** The end that the trainer reported. */
export type Outcome =
  | { kind: 'complete'; artifact: string | null; stoppedEarly: boolean }
  | { kind: 'paused' | 'cancelled'; checkpoint: string | null }
  | { kind: 'failed'; code: string; message: string; row: number | null; field: string | null }

/** The state of a run by the events read so far, and how far its files were read. Stored in the transaction of every batch. */
export interface Live {
  /** Bytes read of events.jsonl and training.log. */
  eventsAt: number
  logAt: number
  seq: number
  badLines: number
  /** Number of stored log lines. */
  lines: number
  phase: string | null
  device: string | null
  rows: number | null
  /** Rows of the data file, and those of which nothing is trained. */
  fileRows: number | null
  unused: number | null
  tokens: number | null
  trainedTokens: number | null
  parameters: number | null
  trainable: number | null
  step: number
  totalSteps: number | null
  epoch: number | null
  /** Tokens processed so far. */
  seenTokens: number | null
  tokensPerSec: number | null
  etaSec: number | null
  metrics: Record<string, number | null>
  loss: number | null
  evalLoss: number | null
  best: { step: number; loss: number } | null
  nextCalls: NextCalls | null
  /** Answers of the teacher to the training rows. */
  teacherAnswers: TeacherAnswers | null
  /** Held-out calls: the figures before the first step, and the best evaluation by these figures. */
  baseCalls: Record<string, number | null> | null
  bestCalls: { step: number; f1: number; loss: number | null } | null
  peakRssMb: number | null
  peakVramMb: number | null
  /** The newest MB in use and in total: of the fullest GPU, or of the machine if it has none. */
  memory: { used: number; total: number } | null
  warnings: { code: string; message: string }[]
  /** Working time of earlier trainer processes, and the times of this process's first and newest events; in ms. */
  workedMs: number
  sessionAt: number | null
  lastAt: number | null
  /** Working seconds of all trainer processes, once the run has stopped. */
  trainSec: number | null
  outcome: Outcome | null
  pace: Pace
  spark: Spark
}

export const NOTHING_YET: Live = {
  eventsAt: 0,
  logAt: 0,
  seq: 0,
  badLines: 0,
  lines: 0,
  phase: null,
  device: null,
  rows: null,
  fileRows: null,
  unused: null,
  tokens: null,
  trainedTokens: null,
  parameters: null,
  trainable: null,
  step: 0,
  totalSteps: null,
  epoch: null,
  seenTokens: null,
  tokensPerSec: null,
  etaSec: null,
  metrics: {},
  loss: null,
  evalLoss: null,
  best: null,
  nextCalls: null,
  teacherAnswers: null,
  baseCalls: null,
  bestCalls: null,
  peakRssMb: null,
  peakVramMb: null,
  memory: null,
  warnings: [],
  workedMs: 0,
  sessionAt: null,
  lastAt: null,
  trainSec: null,
  outcome: null,
  pace: NO_PACE,
  spark: EMPTY_SPARK,
}

const MAX_WARNINGS = 50

/** Working seconds up to a moment, without pauses. */
const secondsAt = (live: Live, at: number): number =>
  Math.max(0, live.workedMs + (live.sessionAt === null ? 0 : at - live.sessionAt)) / 1000

/** The state after one more event. Pure. */
export function reduce(live: Live, event: TrainerEvent): Live {
  const at = Date.parse(event.at)
  const isSessionStart = live.sessionAt === null || (event.type === 'phase' && event.phase === 'loading')
  const next: Live = {
    ...live,
    ...(isSessionStart && { workedMs: secondsAt(live, live.lastAt ?? 0) * 1000, sessionAt: at }),
    seq: event.seq,
    lastAt: at,
    pace: addToPace(live.pace, event, at, isSessionStart),
  }
  switch (event.type) {
    case 'phase':
      return { ...next, phase: event.phase, ...(isSessionStart && { outcome: null, etaSec: null, tokensPerSec: null, trainSec: null }) }
    case 'plan': {
      const { rows, fileRows = null, unused = null, tokens, trainedTokens, parameters, trainable, totalSteps, device } = event
      return { ...next, rows, fileRows, unused, tokens, trainedTokens, parameters, trainable, totalSteps, device }
    }
    case 'teacher': {
      if (event.split === 'val') return next
      const { asked, kept, tooLong, promptTooLong, unwritten, unreadable, unknownTool, empty, sampling } = event
      return { ...next, teacherAnswers: { asked, kept, tooLong, promptTooLong, unwritten, unreadable, unknownTool, empty, sampling } }
    }
    case 'next_calls': {
      const { answers, withCalls, maxTokens, leftOut, reason, digest = null } = event
      return { ...next, nextCalls: { answers, withCalls, maxTokens, leftOut, reason, digest } }
    }
    case 'progress': {
      const { step, totalSteps, epoch, tokensPerSec, etaSec, metrics } = event
      const { loss: train, eval_loss: evaluated } = metrics
      return {
        ...next,
        step,
        totalSteps,
        epoch,
        seenTokens: event.tokens,
        tokensPerSec: tokensPerSec ?? live.tokensPerSec,
        etaSec: etaSec ?? live.etaSec,
        metrics: { ...live.metrics, ...metrics },
        peakRssMb: larger(live.peakRssMb, event.memoryMb.rss),
        peakVramMb: larger(live.peakVramMb, event.memoryMb.vram),
        ...(train !== undefined && { loss: train, spark: addToSpark(live.spark, train) }),
        ...(evaluated !== undefined && { evalLoss: evaluated }),
        ...heldOutCallFigures(live, event),
        ...(typeof evaluated === 'number' && (live.best === null || evaluated < live.best.loss) && { best: { step, loss: evaluated } }),
      }
    }
    case 'warning':
      return { ...next, warnings: withWarning(live.warnings, event) }
    case 'complete':
      return {
        ...next,
        step: event.step,
        trainSec: next.workedMs / 1000 + event.trainSec, // the event counts only its own process
        etaSec: null,
        peakRssMb: larger(live.peakRssMb, event.peakMb.rss),
        peakVramMb: larger(live.peakVramMb, event.peakMb.vram),
        outcome: { kind: 'complete', artifact: event.artifact, stoppedEarly: event.stoppedEarly },
      }
    case 'stopped':
      return {
        ...next,
        step: event.step,
        etaSec: null,
        trainSec: secondsAt(next, at),
        outcome: { kind: event.how, checkpoint: event.checkpoint },
      }
    case 'failed': {
      const { code, message, row, field } = event
      return { ...next, etaSec: null, trainSec: secondsAt(next, at), outcome: { kind: 'failed', code, message, row, field } }
    }
    case 'system':
      return { ...next, memory: memoryOf(event) }
    default:
      return next
  }
}

/** Figures of held-out calls. At step 0 they belong to the base model; later a higher argument F1 is better, then a lower loss. */
function heldOutCallFigures(live: Live, { step, metrics }: TrainerEvent & { type: 'progress' }): Partial<Live> {
  const f1 = metrics['eval_arg_f1']
  if (typeof f1 !== 'number') return {}
  if (step === 0) return { baseCalls: metrics }
  const { bestCalls: best, evalLoss: loss } = live
  const isBetter = best === null || f1 > best.f1 || (f1 === best.f1 && (loss ?? Infinity) < (best.loss ?? Infinity))
  return isBetter ? { bestCalls: { step, f1, loss } } : {}
}

function memoryOf({ gpus, ramUsedMb, ramTotalMb }: TrainerEvent & { type: 'system' }): Live['memory'] {
  const measured = gpus.flatMap(({ usedMb, totalMb }) => (usedMb === null || totalMb === null ? [] : [{ used: usedMb, total: totalMb }]))
  const fullest = measured.toSorted((a, b) => b.used / b.total - a.used / a.total)[0]
  return fullest ?? (ramUsedMb === null || ramTotalMb === null ? null : { used: ramUsedMb, total: ramTotalMb })
}

/** Adds a warning in place of an older one with the same code. */
export function withWarning(current: Live['warnings'], { code, message }: { code: string; message: string }): Live['warnings'] {
  return [...current.filter((one) => one.code !== code), { code, message }].slice(-MAX_WARNINGS)
}

const larger = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.max(a, b))

/** The point that a progress event adds to the curves, or null if it has no figures. `live` is the state after the event. */
export function pointOf(live: Live, event: TrainerEvent & { type: 'progress' }): { position: Position; values: Values } | null {
  const values = { ...event.metrics, ...(event.tokensPerSec !== null && { tokens_per_sec: event.tokensPerSec }) }
  if (Object.keys(values).length === 0) return null
  const seconds = secondsAt(live, Date.parse(event.at))
  return { position: { step: event.step, epoch: event.epoch, tokens: event.tokens, seconds, seq: event.seq }, values }
}

/** Working seconds from the start to the newest event, without pauses. */
export const workedSeconds = (live: Live): number => secondsAt(live, live.lastAt ?? 0)
