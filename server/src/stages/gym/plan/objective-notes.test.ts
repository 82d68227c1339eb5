import { expect, it } from 'vitest'
import { OBJECTIVES, objectiveOf } from '#contracts/train-knobs.ts'
import { TrainSettings, type TrainSettingsInput } from '#contracts/trainer.ts'
import { objectiveNotes } from './objective-notes.ts'

const settingsOf = (some: Partial<TrainSettingsInput>) => TrainSettings.parse({ learningRate: 1e-6, ...some })
const notesOf = (some: Partial<TrainSettingsInput>) => [...objectiveNotes({ strategy: 'grpo' }, settingsOf(some))]

it('gives an objective all its values', () => {
  for (const [objective, values] of Object.entries(OBJECTIVES))
    expect(objectiveOf(settingsOf({ objective: objective as keyof typeof OBJECTIVES }))).toEqual(values)
})

it('reads the settings of runs that were stored before there was an objective', () => {
  const stored = { epsilon: 0.2, epsilonHigh: null, scaleRewards: 'group', importanceSamplingLevel: 'token' } as const
  const highOf = (grpoLossType: 'dapo' | 'cispo' | 'dr_grpo') => objectiveOf(settingsOf({ ...stored, grpoLossType }))
  expect(highOf('dapo')).toEqual(OBJECTIVES.dapo)
  expect(highOf('cispo')).toEqual({ ...stored, grpoLossType: 'cispo', epsilonHigh: 5 })
  expect(highOf('dr_grpo')).toEqual({ ...stored, grpoLossType: 'dr_grpo', epsilonHigh: null })
})

it('names values that are not those of the objective, and clears them', () => {
  expect(notesOf({})).toEqual([])
  expect(notesOf({ objective: 'dr_grpo', grpoLossType: 'dr_grpo' })).toEqual([])
  expect(notesOf({ grpoLossType: 'dr_grpo' })).toMatchObject([
    {
      code: 'objective_changed',
      message: 'The objective dapo is changed: loss dr_grpo instead of dapo.',
      apply: { grpoLossType: null },
    },
  ])
})

it('says that gspo needs several iterations', () => {
  expect(notesOf({ objective: 'gspo' })).toMatchObject([{ code: 'ratio_is_one', apply: { numIterations: 2 } }])
  expect(notesOf({ objective: 'gspo', numIterations: 2 })).toEqual([])
})
