import type { NextCalls, TeacherAnswers, TrainerEvent } from '#contracts/trainer.ts'
import type { Position, Values } from './metrics/blocks.ts'
import { addToPace, NO_PACE, type Pace } from './pace.ts'
import { addToSpark, EMPTY_SPARK, type Spark } from './spark.ts'

/** How the trainer said that it ended; null: it has not said. */
export type Outcome =
  | { kind: 'complete'; artifact: string | null; stoppedEarly: boolean }
  | { kind: 'paused' | 'cancelled'; checkpoint: string | null }
  | { kind: 'failed'; code: string; message: string; row: number | null; field: string | null }

/** What the events of a run say so far, and up to where its files were read: stored with every batch, in its transaction. */
export interface Live {
  /** Bytes of events.jsonl and training.log that are taken in. */
  eventsAt: number
  logAt: number
  seq: number
  badLines: number
  /** Lines stored of the log. */
  lines: number
  phase: string | null
  device: string | null
  rows: number | null
  tokens: number | null
  trainedTokens: number | null
  parameters: number | null
  trainable: number | null
  step: number
  totalSteps: number | null
  epoch: number | null
  /** Tokens that went through. */
  seenTokens: number | null
  tokensPerSec: number | null
  etaSec: number | null
  metrics: Record<string, number | null>
  loss: number | null
  evalLoss: number | null
  best: { step: number; loss: number } | null
  nextCalls: NextCalls | null
  /** To the rows that are learned. */
  teacherAnswers: TeacherAnswers | null
  /** Figures of held-out calls before the first step, and the best evaluation by them. */
  baseCalls: Record<string, number | null> | null
  bestCalls: { step: number; f1: number; loss: number | null } | null
  peakRssMb: number | null
  peakVramMb: number | null
  /** MB in use and in all, newest: of the GPUs if there are any, else of the machine. */
  memory: { used: number; total: number } | null
  warnings: { code: string; message: string }[]
  /** Working time before this process of the trainer, and when its first and newest events were; ms. */
  workedMs: number
  sessionAt: number | null
  lastAt: number | null
  /** Of a run that has stopped: working seconds of all its processes. */
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
  const begins = live.sessionAt === null || (event.type === 'phase' && event.phase === 'loading')
  const next: Live = {
    ...live,
    ...(begins && { workedMs: secondsAt(live, live.lastAt ?? 0) * 1000, sessionAt: at }),
    seq: event.seq,
    lastAt: at,
    pace: addToPace(live.pace, event, at, begins),
  }
  switch (event.type) {
    case 'phase':
      return { ...next, phase: event.phase, ...(begins && { outcome: null, etaSec: null, tokensPerSec: null, trainSec: null }) }
    case 'plan': {
      const { rows, tokens, trainedTokens, parameters, trainable, totalSteps, device } = event
      return { ...next, rows, tokens, trainedTokens, parameters, trainable, totalSteps, device }
    }
    case 'teacher': {
      if (event.split === 'val') return next
      const { asked, kept, tooLong, promptTooLong, unwritten, unreadable, unknownTool, empty, sampling } = event
      return { ...next, teacherAnswers: { asked, kept, tooLong, promptTooLong, unwritten, unreadable, unknownTool, empty, sampling } }
    }
    case 'next_calls': {
      const { answers, withCalls, maxTokens, leftOut, reason } = event
      return { ...next, nextCalls: { answers, withCalls, maxTokens, leftOut, reason } }
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
        peakRssMb: greater(live.peakRssMb, event.memoryMb.rss),
        peakVramMb: greater(live.peakVramMb, event.memoryMb.vram),
        ...(train !== undefined && { loss: train, spark: addToSpark(live.spark, train) }),
        ...(evaluated !== undefined && { evalLoss: evaluated }),
        ...calls(live, event),
        ...(typeof evaluated === 'number' && (live.best === null || evaluated < live.best.loss) && { best: { step, loss: evaluated } }),
      }
    }
    case 'warning':
      return { ...next, warnings: withWarning(live.warnings, event) }
    case 'complete':
      return {
        ...next,
        step: event.step,
        trainSec: next.workedMs / 1000 + event.trainSec, // of its own process only
        etaSec: null,
        peakRssMb: greater(live.peakRssMb, event.peakMb.rss),
        peakVramMb: greater(live.peakVramMb, event.peakMb.vram),
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

/** Before the first step held-out calls are those of the base model; later more argument F1 is better, then less loss. */
function calls(live: Live, { step, metrics }: TrainerEvent & { type: 'progress' }): Partial<Live> {
  const f1 = metrics['eval_arg_f1']
  if (typeof f1 !== 'number') return {}
  if (step === 0) return { baseCalls: metrics }
  const { bestCalls: best, evalLoss: loss } = live
  const isBetter = best === null || f1 > best.f1 || (f1 === best.f1 && (loss ?? Infinity) < (best.loss ?? Infinity))
  return isBetter ? { bestCalls: { step, f1, loss } } : {}
}

function memoryOf({ gpus, ramUsedMb, ramTotalMb }: TrainerEvent & { type: 'system' }): Live['memory'] {
  const known = gpus.flatMap(({ usedMb, totalMb }) => (usedMb === null || totalMb === null ? [] : [{ used: usedMb, total: totalMb }]))
  const fullest = known.toSorted((a, b) => b.used / b.total - a.used / a.total)[0]
  return fullest ?? (ramUsedMb === null || ramTotalMb === null ? null : { used: ramUsedMb, total: ramTotalMb })
}

/** Each code once, with its newest sentence. */
export function withWarning(known: Live['warnings'], { code, message }: { code: string; message: string }): Live['warnings'] {
  return [...known.filter((one) => one.code !== code), { code, message }].slice(-MAX_WARNINGS)
}

const greater = (a: number | null, b: number | null): number | null => (a === null || b === null ? (a ?? b) : Math.max(a, b))

/** The point of a progress event on the curves; `live` is the state after it. Null: it carries no figure. */
export function pointOf(live: Live, event: TrainerEvent & { type: 'progress' }): { position: Position; values: Values } | null {
  const values = { ...event.metrics, ...(event.tokensPerSec !== null && { tokens_per_sec: event.tokensPerSec }) }
  if (Object.keys(values).length === 0) return null
  const seconds = secondsAt(live, Date.parse(event.at))
  return { position: { step: event.step, epoch: event.epoch, tokens: event.tokens, seconds, seq: event.seq }, values }
}

/** Seconds from the start to this event, pauses left out; `live` is the state after it. */
export const elapsed = (live: Live): number => secondsAt(live, live.lastAt ?? 0)
