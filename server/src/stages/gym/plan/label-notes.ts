import type { PlanNote } from '#contracts/entities/run.ts'
import type { TrainSettings, TrainStrategy } from '#contracts/trainer.ts'
import { note } from './note.ts'
import type { CheckedRows } from './rows.job.ts'

/** The weighted number of wanted rows for each unwanted one that KTO learns best with. */
const LEAST = 1
const MOST = 4 / 3
const FEW = 10

/** Advice on the ratio of wanted to unwanted rows. */
export function* labelNotes(
  { strategy, settings }: { strategy: TrainStrategy; settings: TrainSettings },
  lengths: CheckedRows['lengths'],
): Generator<PlanNote> {
  if (strategy !== 'kto' || lengths === null) return
  const { wanted } = lengths
  const unwanted = lengths.rows - wanted
  if (wanted === 0 || unwanted === 0) return // refused
  const { desirableWeight, undesirableWeight } = settings
  const ratio = (desirableWeight * wanted) / (undesirableWeight * unwanted)
  if (ratio >= LEAST && ratio <= MOST) return
  const isFewUnwanted = ratio > MOST
  const [field, name, weight] = isFewUnwanted
    ? (['undesirableWeight', 'unwanted', (desirableWeight * wanted) / unwanted] as const)
    : (['desirableWeight', 'wanted', (undesirableWeight * unwanted) / wanted] as const)
  // rounded towards the balanced side, so that the ratio lies in the range
  const balanced = isFewUnwanted ? Math.floor(weight * 100) / 100 : Math.ceil(weight * 100) / 100
  const few = Math.min(wanted, unwanted)
  const more = few < FEW ? ` ${few} ${name} ${few === 1 ? 'row teaches' : 'rows teach'} little; add more.` : ''
  yield note('warning', 'label_ratio', `${wanted} rows are wanted and ${unwanted} unwanted, so the model learns mostly from ${isFewUnwanted ? 'wanted' : 'unwanted'} ones.`, `Set the weight of ${name} rows to ${balanced}.${more}`, { field, apply: { [field]: balanced } }) // prettier-ignore
}
