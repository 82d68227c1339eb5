import type { PlanNote } from '#contracts/entities/run.ts'
import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import type { KeepMore } from './keep-more.ts'
import { note, refusalNote } from './note.ts'
import { maxPromptTokens, rowRefusal, splitsRows } from './refusals.ts'
import type { CheckedRows } from './rows.job.ts'
import { packedRows } from './steps.ts'

type Lengths = NonNullable<CheckedRows['lengths']>
type RunSettings = { strategy: TrainStrategy; settings: TrainSettings }

/** What the max length does to the rows. */
export function* lengthNotes(
  run: RunSettings,
  found: CheckedRows,
  lengths: Lengths,
  { isRefused, keep }: { isRefused: boolean; keep: KeepMore | null },
): Generator<PlanNote> {
  const { isWhole } = lengths
  const { maxLength } = run.settings
  const { rows } = found
  const promptLimit = maxPromptTokens(run)
  if (promptLimit !== null && promptLimit <= 0) return // refused by the settings
  if (lengths.rows === 0) {
    yield nothingNote(run, found, lengths, keep)
    return
  }
  yield* packingNotes(lengths, run.settings)
  if (promptLimit !== null && lengths.leftOut > 0) {
    const message = `${isWhole ? '' : 'About '}${lengths.leftOut} of ${rows} prompts are longer than ${promptLimit} tokens (max length minus max answer length) and are excluded.`
    const remainingRefusal = rowRefusal(run, rows - lengths.leftOut, [])
    yield note('warning', 'prompts_left_out', message, 'Raise the max length, or lower the max answer length.', { field: 'maxLength' })
    if (lengths.exact && !isRefused && remainingRefusal !== null) yield refusalNote(remainingRefusal)
  } else if (lengths.leftOut > 0) yield leftOutNote(run, rows, lengths, keep)
  if (lengths.split > 0) {
    const words = `${lengths.split} of ${rows} rows are longer than ${maxLength} tokens and are split between answers, which makes ${lengths.rows} rows. Each answer is trained in one of them.`
    yield note('info', 'rows_split', isWhole ? words : `About ${words}`, null, { field: 'maxLength' })
  }
  if (!lengths.exact) yield note('info', 'tokens_estimated', 'Token counts are estimates.', null)
}

const REASONS_SHOWN = 3

/** Refuses a run that would train nothing, with the largest reasons and the length that would keep rows. */
function nothingNote(run: RunSettings, { rendering }: CheckedRows, lengths: Lengths, keep: KeepMore | null): PlanNote {
  const { maxLength } = run.settings
  const promptLimit = maxPromptTokens(run)
  const are = (count: number, words: string) => `${count} ${count === 1 ? 'row' : 'rows'} ${words}`
  const tooLong = promptLimit === null ? `too long for ${maxLength} tokens` : `longer than ${promptLimit} tokens (max length minus max answer length)` // prettier-ignore
  const reasons = [
    { rows: lengths.tooLong, words: `${lengths.tooLong === 1 ? 'is' : 'are'} ${tooLong}` },
    { rows: lengths.untrained, words: `${lengths.untrained === 1 ? 'has' : 'have'} no answer that is trained` },
    ...rendering.unwritten.map(({ rows, reason }) => ({ rows, words: `cannot be written with this chat template (${reason.replace(/\.$/, '')})` })), // prettier-ignore
  ]
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => b.rows - a.rows)
    .slice(0, REASONS_SHOWN)
  const message = `Nothing would be trained: ${reasons.map(({ rows, words }) => are(rows, words)).join(', ')}.`
  if (lengths.tooLong === 0) return note('refusal', 'no_trained_tokens', message, 'Choose rows with answers that are trained.')
  if (promptLimit !== null) return note('refusal', 'prompts_too_long', message, 'Raise the max length, or lower the max answer length.', { field: 'maxLength' }) // prettier-ignore
  const needed = lengths.neededForOne
  const hint = keep?.hint ?? (needed === null ? null : `Set the max length to ${needed} to keep the first of them.`)
  const apply = keep === null ? needed !== null && { maxLength: needed } : keep.apply
  return note('refusal', 'no_trained_tokens', message, hint, { field: 'maxLength', apply: apply || null })
}

/** What does not fit the max length: answers if rows are split, otherwise rows. */
function leftOutNote(run: RunSettings, rows: number, { isWhole, leftOut, learnable, trained }: Lengths, keep: KeepMore | null): PlanNote {
  const about = isWhole ? '' : 'About '
  const { maxLength } = run.settings
  const hint = keep?.hint ?? null
  const where = { field: 'maxLength', apply: keep?.apply ?? null }
  const lost = learnable > 0 && trained !== null ? (100 * (learnable - trained)) / learnable : 0
  if (splitsRows(run)) {
    const message = `${about}${leftOut} ${leftOut === 1 ? 'answer does' : 'answers do'} not fit into ${maxLength} tokens with the prompt and will be left out: ${lost.toFixed(lost < 10 ? 1 : 0)} % of the tokens to learn from.`
    return note('warning', 'answers_left_out', message, hint, where)
  }
  const message = `${about}${leftOut} of ${rows} rows are longer than ${maxLength} tokens and will be left out.`
  return note('warning', 'rows_left_out', message, hint, where)
}

function* packingNotes(lengths: Lengths, settings: TrainSettings): Generator<PlanNote> {
  if (!settings.packing || lengths.rows === 0) return
  const packed = packedRows(settings, lengths)
  const message = `Packing puts ${lengths.rows} rows into about ${packed} of ${settings.maxLength} tokens: ${(lengths.rows / packed).toFixed(1)} times fewer steps.` // prettier-ignore
  yield note('info', 'packing_gain', message, null, { field: 'packing' })
}
