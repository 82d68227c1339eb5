import { isoOf } from '#server/instant.ts'
import type { RunLogLine, SystemPoint } from '#contracts/entities/run.ts'
import type { Payload } from '#contracts/messages.ts'
import { readPrinted } from '#contracts/printed-line.ts'
import { teacherWords } from '#contracts/teacher-words.ts'
import { TrainerEvent } from '#contracts/trainer.ts'
import type { Core } from '#server/core.ts'
import type { Line } from '#server/runs/lines.ts'
import type { Intake } from '#server/runs/types.ts'
import { workedSeconds, type Live, pointOf, reduce, withWarning } from './live.ts'
import type { BlockStore, Position, Values } from './metrics/blocks.ts'
import type { RunRow } from './row.ts'
import type { RunStore } from './store.ts'

/** An endless log would fill the database. Later lines are only in the file. */
const MAX_LINES = 200_000

interface Deps {
  core: Pick<Core, 'events' | 'log' | 'now'>
  store: RunStore
  blocks: BlockStore
  onBatch: (run: RunRow, before: Live, after: Live) => void
}

/** Stores the lines of a training run's files in its tables, and publishes each batch after its commit. */
export function createIntake({ core, store, blocks, onBatch }: Deps, run: RunRow): Intake<Live> {
  const { events, log, now } = core
  const writer = blocks.writer(run.no)
  let points: Payload<'training:progress'>['points'] = []
  let lines: RunLogLine[] = []

  const addLine = (live: Live, line: { at: number | null; stream: 'log' | 'event'; level: RunLogLine['level']; text: string }) => {
    if (live.lines > MAX_LINES) return live
    const isLimit = live.lines === MAX_LINES
    const n = live.lines + 1
    const stored = isLimit ? { ...line, level: 'warning' as const, text: 'The rest of the log is in training.log.' } : line
    store.addLine(run.no, { ...stored, n })
    lines.push({ ...stored, n, at: isoOf(stored.at) })
    return { ...live, lines: n }
  }

  const addPoint = (position: Position, values: Values) => {
    const before = writer.newest()
    // A run that was killed resumes from its checkpoint and repeats some steps: their earlier points are removed.
    const repeats =
      before !== null && (position.step < before.step || (position.step === before.step && Object.keys(values).some(before.has)))
    if (repeats) {
      writer.cut(position.step)
      store.dropSamples(run.no, position.step + 1)
    }
    writer.append(position, values)
  }

  const storeEvent = (live: Live, line: Line): Live => {
    const event = parseEvent(line.text)
    if (event === null) {
      log.warn({ run: run.id }, `An event of the run cannot be read and was skipped (up to byte ${line.end} of events.jsonl)`)
      return withUnreadableLine({ ...live, eventsAt: line.end, badLines: live.badLines + 1 })
    }
    let next: Live = { ...reduce(live, event), eventsAt: line.end }
    const sentence = sentenceOf(event)
    if (sentence !== null) next = addLine(next, { at: Date.parse(event.at), stream: 'event', ...sentence })
    switch (event.type) {
      case 'progress': {
        const point = pointOf(next, event)
        if (point === null) break
        addPoint(point.position, point.values)
        points.push({ ...point.position, metrics: point.values })
        break
      }
      case 'system':
        store.addSystem(run.no, event.seq, systemPoint(event, workedSeconds(next)))
        break
      case 'sample': {
        const { step, source, index, prompt, text, reference, rewards, episode } = event
        store.addSample(run.no, event.seq, { step, source, index, prompt, text, reference, rewards, ...(episode && { episode }) })
        break
      }
      case 'checkpoint':
        store.addCheckpoint(run.no, event.step, event.path, event.best)
        break
      default: // only changes the state
        break
    }
    return next
  }
  const storeLogLine = (live: Live, line: Line): Live => {
    const printed = readPrinted(line.text ?? '(a line longer than 16 MB)')
    const next = { ...live, logAt: line.end }
    return printed === null ? next : addLine(next, { at: now(), stream: 'log', ...printed })
  }

  return {
    log: { file: 'training.log', offset: ({ logAt }) => logAt, take: storeLogLine },
    events: { file: 'events.jsonl', offset: ({ eventsAt }) => eventsAt, take: storeEvent },
    begin() {
      points = []
      lines = []
    },
    end(before, after) {
      writer.flush()
      onBatch(run, before, after)
    },
    afterCommit(live) {
      const { step, totalSteps, epoch, tokensPerSec, etaSec, seq } = live
      const tokens = points.at(-1)?.tokens ?? null
      if (points.length > 0)
        events.passing('training:progress', { runId: run.id, seq, step, totalSteps, epoch, tokens, seconds: workedSeconds(live), tokensPerSec, etaSec, points }) // prettier-ignore
      // The trainer may print any amount, so printed lines are sent only on the stream of the log file.
      const sentences = lines.filter(({ stream }) => stream === 'event')
      if (sentences.length > 0) events.passing('training:log', { runId: run.id, lines: sentences })
    },
    afterRollback: () => writer.reload(),
  }
}

function withUnreadableLine(live: Live): Live {
  const message = `${live.badLines} ${live.badLines === 1 ? 'line' : 'lines'} of events.jsonl could not be read and ${live.badLines === 1 ? 'was' : 'were'} skipped.`
  return { ...live, warnings: withWarning(live.warnings, { code: 'events_unreadable', message }) }
}

export function parseEvent(text: string | null): TrainerEvent | null {
  if (text === null) return null
  try {
    return TrainerEvent.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** The line that an event adds to the log. Progress events add none: the curves show their figures. */
function sentenceOf(event: TrainerEvent): Pick<RunLogLine, 'level' | 'text'> | null {
  switch (event.type) {
    case 'phase':
      return { level: 'info', text: event.detail === null ? event.phase : `${event.phase} ${event.detail}` }
    case 'plan':
      return { level: 'info', text: `${event.rows} rows, ${event.tokens} tokens, ${event.totalSteps} steps on ${event.device}` }
    case 'teacher':
      return {
        level: event.kept < event.asked ? 'warning' : 'info',
        text: `${event.split === 'val' ? 'held-out rows: ' : ''}${teacherWords(event)}`,
      }
    case 'next_calls':
      return {
        level: 'info',
        text:
          event.reason === null
            ? `held-out calls: ${event.answers} answers, ${event.withCalls} of them calls`
            : `held-out calls are not measured: ${event.reason}`,
      }
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

/** Several GPUs become one point: the sum of memory and power, the maximum of load and temperature. */
function systemPoint(event: TrainerEvent & { type: 'system' }, seconds: number): SystemPoint {
  const { gpus } = event
  const figures = (pick: (gpu: (typeof gpus)[number]) => number | null) => gpus.flatMap((gpu) => pick(gpu) ?? [])
  const maximum = (values: number[]) => (values.length > 0 ? Math.max(...values) : null)
  const sum = (values: number[]) => (values.length > 0 ? values.reduce((total, value) => total + value, 0) : null)
  return {
    at: event.at,
    seconds,
    cpuPercent: event.cpuPercent,
    rssMb: event.rssMb,
    ramUsedMb: event.ramUsedMb,
    ramTotalMb: event.ramTotalMb,
    gpuPercent: maximum(figures(({ percent }) => percent)),
    vramMb: sum(figures(({ usedMb }) => usedMb)),
    vramTotalMb: sum(figures(({ totalMb }) => totalMb)),
    temperatureC: maximum(figures(({ temperatureC }) => temperatureC)),
    powerW: sum(figures(({ powerW }) => powerW)),
  }
}
