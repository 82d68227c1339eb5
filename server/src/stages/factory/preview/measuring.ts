/** For jobs of later stages, which measure rows without loading the whole stage into their thread. */
export { readRow } from '../import/shapes.ts'
export { encoderOf } from './encoder.ts'
export { canWriteCalls } from './can-write-calls.ts'
export { measurePrompt, measureRow, measureSizes, type RowRendering, type RowSizes } from './measure.ts'
export { offersFewer, pairWindows, windowsOf, type AnswerSizes, type Turn } from './windows.ts'
