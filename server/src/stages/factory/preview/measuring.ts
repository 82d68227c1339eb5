/** For later stages, which read, measure and render rows without loading the whole stage into their thread. */
export { convertRow } from '../import/shapes.ts'
export { createUseCounts, type UseCounts } from '../import/uses.ts'
export { encoderOf } from './encoder.ts'
export { canWriteCalls } from './can-write-calls.ts'
export { measurePrompt, measureRow, measureSizes, type RowRendering, type RowSizes } from './measure.ts'
export { offersFewer, pairWindows, windowsOf, type AnswerSizes, type Turn } from './windows.ts'
export { renderPrompt } from './prompting.ts'
