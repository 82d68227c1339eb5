/** Reads the tool calls in the answers of models, in the formats of all families. */
export {
  beginsWithMark,
  parseAnswer,
  withoutEnds,
  withoutMessage,
  withoutOpenedThoughts,
  withoutOpenings,
  withoutThoughts,
} from './answer.ts'
export { findCalls, TORN } from './forms.ts'
export { pythonStringAt } from './python.ts'
export { loadedAt } from './values.ts'
