/** An axis along which a curve can be drawn. */
export interface Axis {
  /** Its name in points and in the address. */
  id: string
  label: string
  /** Its unit. */
  unit: string
  /** `time` is in seconds. */
  kind: 'whole' | 'part' | 'time'
}

/** The default first. */
export type Axes = readonly [Axis, ...Axis[]]

/** Every point has a step, which orders the points. */
export const STEP: Axis = { id: 'step', label: 'Step', unit: 'step', kind: 'whole' }
export const TIME: Axis = { id: 'time', label: 'Time', unit: 'time', kind: 'time' }
