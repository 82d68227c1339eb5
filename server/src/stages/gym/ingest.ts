import type { RunLogLine, SystemPoint } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { TrainerEvent } from '#contracts/trainer.ts'
import type { Line } from './lines.ts'
import { elapsed, type Live, pointOf, reduce, withWarning } from './live.ts'
import type { BlockWriter, Position, Values } from './metrics/blocks.ts'
import type { RunStore } from './store.ts'

/** What a batch came to, to be told after its commit. */
export interface Batch {
  points: Payload<'training:progress'>['points']
  lines: RunLogLine[]
}

export const emptyBatch = (): Batch => ({ points: [], lines: [] })

/** A log without end would fill the database: behind this the file has the rest. */
const MOST_LINES = 200_000

/**
 * Takes lines of a run's files into the tables, in the caller's transaction. The state it hands back goes into the row
 * in the same one, so that after a kill no line is missing and none is taken twice.
 */
export function createIngest(store: RunStore, run: { no: number }, writer: BlockWriter, warn: (message: string) => void) {
  const addLine = (
    live: Live,
    batch: Batch,
    line: { at: number | null; stream: 'log' | 'event'; level: RunLogLine['level']; text: string },
  ) => {
    if (live.lines > MOST_LINES) return live
    const full = live.lines === MOST_LINES
    const n = live.lines + 1
    const kept = full ? { ...line, level: 'warning' as const, text: 'The rest of the log is in training.log.' } : line
    store.addLine(run.no, { ...kept, n })
    batch.lines.push({ ...kept, n, at: kept.at === null ? null : new Date(kept.at).toISOString() })
    return { ...live, lines: n }
  }

  const addPoint = (position: Position, values: Values) => {
    const before = writer.newest()
    // A run that was killed goes on from its checkpoint and does some steps again: those of before are taken back.
    const repeats =
      before !== null && (position.step < before.step || (position.step === before.step && Object.keys(values).some(before.has)))
    if (repeats) {
      writer.cut(position.step)
      store.dropSamples(run.no, position.step + 1)
    }
    writer.append(position, values)
  }

  return {
    event(live: Live, line: Line, batch: Batch): Live {
      const event = parsed(line.text)
      if (event === null) {
        warn(`An event of the run cannot be read and was passed over (up to byte ${line.end} of events.jsonl)`)
        return unreadable({ ...live, eventsAt: line.end, badLines: live.badLines + 1 })
      }
      let next: Live = { ...reduce(live, event), eventsAt: line.end }
      const said = sentenceOf(event)
      if (said !== null) next = addLine(next, batch, { at: Date.parse(event.at), stream: 'event', ...said })
      switch (event.type) {
        case 'progress': {
          const point = pointOf(next, event)
          if (point === null) break
          addPoint(point.position, point.values)
          batch.points.push({ ...point.position, metrics: point.values })
          break
        }
        case 'system':
          store.addSystem(run.no, event.seq, systemPoint(event, elapsed(next)))
          break
        case 'sample': {
          const { step, source, index, prompt, text, reference, rewards } = event
          store.addSample(run.no, event.seq, { step, source, index, prompt, text, reference, rewards })
          break
        }
        case 'checkpoint':
          store.addCheckpoint(run.no, event.step, event.path, event.best)
          break
        default: // in the state already
          break
      }
      return next
    },
    log(live: Live, line: Line, at: number, batch: Batch): Live {
      const [text = ''] = shown(line.text ?? '(a line longer than 16 MB)').slice(-1)
      const next = { ...live, logAt: line.end }
      return text === '' ? next : addLine(next, batch, { at, stream: 'log', level: levelOf(text), text })
    },
  }
}

function unreadable(live: Live): Live {
  const message = `${live.badLines} ${live.badLines === 1 ? 'line' : 'lines'} of events.jsonl could not be read and ${live.badLines === 1 ? 'was' : 'were'} passed over.`
  return { ...live, warnings: withWarning(live.warnings, { code: 'events_unreadable', message }) }
}

/** What a terminal would leave of a line: progress bars write over themselves. */
const shown = (text: string): string[] => text.replaceAll('\0', '').trimEnd().split('\r').map((part) => part.slice(0, 20_000)) // prettier-ignore

function parsed(text: string | null): TrainerEvent | null {
  if (text === null) return null
  try {
    return TrainerEvent.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** What an event adds to the log; the figures of steps are on the curves. */
function sentenceOf(event: TrainerEvent): Pick<RunLogLine, 'level' | 'text'> | null {
  switch (event.type) {
    case 'phase':
      return { level: 'info', text: event.detail === null ? event.phase : `${event.phase} ${event.detail}` }
    case 'plan':
      return { level: 'info', text: `${event.rows} rows, ${event.tokens} tokens, ${event.totalSteps} steps on ${event.device}` }
    case 'checkpoint':
      return { level: 'info', text: `checkpoint at step ${event.step}${event.best ? ', the best so far' : ''}` }
    case 'warning':
      return { level: 'warning', text: event.message }
    case 'complete':
      return { level: 'info', text: `complete after ${event.step} steps` }
    case 'stopped':
      return { level: 'info', text: `${event.how} at step ${event.step}` }
    case 'failed':
      return { level: 'error', text: event.message }
    default:
      return null
  }
}

const levelOf = (text: string): RunLogLine['level'] =>
  /\b(?:error|traceback|exception|fatal|killed)\b/i.test(text) ? 'error' : /warn(?:ing)?\b/i.test(text) ? 'warning' : 'info'

/** Of several GPUs: their memory together, the busiest and the hottest. */
function systemPoint(event: TrainerEvent & { type: 'system' }, seconds: number): SystemPoint {
  const { gpus } = event
  const figures = (pick: (gpu: (typeof gpus)[number]) => number | null) => gpus.flatMap((gpu) => pick(gpu) ?? [])
  const most = (values: number[]) => (values.length > 0 ? Math.max(...values) : null)
  const sum = (values: number[]) => (values.length > 0 ? values.reduce((total, value) => total + value, 0) : null)
  return {
    at: event.at,
    seconds,
    cpuPercent: event.cpuPercent,
    rssMb: event.rssMb,
    ramUsedMb: event.ramUsedMb,
    ramTotalMb: event.ramTotalMb,
    gpuPercent: most(figures(({ percent }) => percent)),
    vramMb: sum(figures(({ usedMb }) => usedMb)),
    vramTotalMb: sum(figures(({ totalMb }) => totalMb)),
    temperatureC: most(figures(({ temperatureC }) => temperatureC)),
    powerW: sum(figures(({ powerW }) => powerW)),
  }
}
