/** What the points of a curve can be laid along. */
export interface Axis {
  /** As the points and the address name it. */
  id: string
  label: string
  /** What one of it is, where that is to be said exactly. */
  unit: string
  /** `time` is in seconds. */
  kind: 'whole' | 'part' | 'time'
}

/** The usual one first. */
export type Axes = readonly [Axis, ...Axis[]]

/** Every point has one: it orders them. */
export const STEP: Axis = { id: 'step', label: 'Step', unit: 'step', kind: 'whole' }
export const TIME: Axis = { id: 'time', label: 'Time', unit: 'time', kind: 'time' }
