import { STEP, TIME, type Axes, type Axis } from '#renderer/ui/curves/axis.ts'

/** Excludes pauses. */
export const TRAINING_TIME: Axis = { ...TIME, unit: 'training time' }

/** The choices for the horizontal axis. */
export const AXES: Axes = [
  { ...STEP, unit: 'optimiser step' },
  { id: 'epoch', label: 'Epoch', unit: 'epoch', kind: 'part' },
  { id: 'tokens', label: 'Tokens', unit: 'tokens seen', kind: 'whole' },
  TRAINING_TIME,
]
