import type { PlanNote } from '#contracts/entities/run.ts'
import { KNOB_NEEDS, type KnobNeed } from '#contracts/train-knobs.ts'
import type { TrainSettings } from '#contracts/trainer.ts'
import { note } from './note.ts'

/** What the machine offers to settings with requirements. */
export interface Equipment {
  hasCuda: boolean
  /** The training interpreter and its packages; null if unknown, then the trainer checks. */
  python: () => Promise<{ program: string; packages: ReadonlyMap<string, string> } | null>
  /** Whether Bash Gym's environment has this variable. */
  hasVariable: (name: string) => boolean
}

/** Settings that need something this machine lacks, in the words of the trainers (`bashgym_trainers/needs.py`). */
export async function needNotes(settings: TrainSettings, equipment: Equipment): Promise<PlanNote[]> {
  const needed = KNOB_NEEDS.flatMap((need) => {
    const value = valueAt(settings, need.setting)
    return need.values.some((one) => one === value) ? [{ need, value }] : []
  })
  if (needed.length === 0) return []
  const python = needed.some(({ need }) => need.package !== null) ? await equipment.python() : null
  return needed.flatMap(({ need, value }) => {
    const problem = problemOf(need, equipment, python)
    if (problem === null) return []
    const what = value === true ? `The setting ${need.setting}` : `The setting ${need.setting} (${String(value)})`
    const alternative = value === true ? 'turn it off' : 'choose another value'
    const [code, message, install] = problem
    const hint = install === null ? `${alternative.charAt(0).toUpperCase()}${alternative.slice(1)}.` : `${install}. Or ${alternative}.`
    return [note('refusal', code, `${what} ${message}`, hint, { field: need.setting, apply: value === true ? { [need.setting]: false } : null })] // prettier-ignore
  })
}

function problemOf(
  need: KnobNeed,
  { hasCuda, hasVariable }: Equipment,
  python: Awaited<ReturnType<Equipment['python']>>,
): [code: string, message: string, install: string | null] | null {
  if (need.cuda && !hasCuda) return ['no_cuda', 'needs a GPU with CUDA.', null]
  if (need.package !== null && python !== null && !python.packages.has(need.package))
    return ['no_package', `needs the package ${need.package}, which is not installed.`, `Install it: ${python.program} -m pip install ${need.package}`] // prettier-ignore
  if (need.variable !== undefined && !hasVariable(need.variable))
    return ['no_key', `needs the variable ${need.variable} in the environment that Bash Gym is started in.`, null]
  return null
}

function valueAt(settings: TrainSettings, place: string): unknown {
  let value: unknown = settings
  for (const name of place.split('.')) value = (value as Record<string, unknown>)[name]
  return value
}
