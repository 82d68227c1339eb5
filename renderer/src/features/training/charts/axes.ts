import { STEP, TIME, type Axes, type Axis } from '#renderer/ui/curves/axis.ts'

/** Pauses left out. */
export const TRAINING_TIME: Axis = { ...TIME, unit: 'training time' }

/** What the curves of a run can be laid along. */
export const AXES: Axes = [
  { ...STEP, unit: 'optimiser step' },
  { id: 'epoch', label: 'Epoch', unit: 'epoch', kind: 'part' },
  { id: 'tokens', label: 'Tokens', unit: 'tokens seen', kind: 'whole' },
  TRAINING_TIME,
]
