import type { PlanNote } from '#contracts/entities/run.ts'
import { KNOB_NEEDS, type KnobNeed } from '#contracts/train-knobs.ts'
import type { TrainSettings } from '#contracts/trainer.ts'

/** What the machine has that settings may want. */
export interface Equipment {
  hasCuda: boolean
  /** Interpreter that trains and names of its packages; null: not known, the trainer looks. */
  python: () => Promise<{ program: string; packages: ReadonlyMap<string, string> } | null>
  /** Whether the environment that we were started in has a variable. */
  hasVariable: (name: string) => boolean
}

/** Settings that want what this machine lacks, in the words of the trainers (`bashgym_trainers/needs.py`). */
export async function needNotes(settings: TrainSettings, equipment: Equipment): Promise<PlanNote[]> {
  const wanted = KNOB_NEEDS.flatMap((need) => {
    const value = valueAt(settings, need.setting)
    return need.values.some((one) => one === value) ? [{ need, value }] : []
  })
  if (wanted.length === 0) return []
  const python = wanted.some(({ need }) => need.package !== null) ? await equipment.python() : null
  return wanted.flatMap(({ need, value }) => {
    const problem = problemOf(need, equipment, python)
    if (problem === null) return []
    const what = value === true ? `The setting ${need.setting}` : `The setting ${need.setting} (${String(value)})`
    const other = value === true ? 'Or turn it off.' : 'Or choose another value.'
    const [code, message, todo] = problem
    return [
      {
        level: 'refusal',
        code,
        message: `${what} ${message}`,
        hint: `${todo}${other}`,
        row: null,
        field: need.setting,
        apply: value === true ? { [need.setting]: false } : null,
      },
    ]
  })
}

function problemOf(
  need: KnobNeed,
  { hasCuda, hasVariable }: Equipment,
  python: Awaited<ReturnType<Equipment['python']>>,
): [code: string, message: string, todo: string] | null {
  if (need.cuda && !hasCuda) return ['no_cuda', 'needs a GPU with CUDA.', '']
  if (need.package !== null && python !== null && !python.packages.has(need.package))
    return ['no_package', `needs the package ${need.package}, which is not installed.`, `Install it: ${python.program} -m pip install ${need.package}. `] // prettier-ignore
  if (need.variable !== undefined && !hasVariable(need.variable))
    return ['no_key', `needs the variable ${need.variable} in the environment that Bash Gym is started in.`, '']
  return null
}

function valueAt(settings: TrainSettings, place: string): unknown {
  let value: unknown = settings
  for (const name of place.split('.')) value = (value as Record<string, unknown>)[name]
  return value
}
