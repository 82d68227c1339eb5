/** What jobs of later stages need to measure rows, without the whole stage in their thread. */
export { readRow } from '../import/shapes.ts'
export { encoderOf } from './encoder.ts'
export { measurePrompt, measureRow, measureTurns, type Way } from './measure.ts'
export { windowsOf, type AnswerSizes, type Turn } from './windows.ts'
