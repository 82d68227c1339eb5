import { checkText, type TextInput, type TextResult } from './check.ts'

/** Checks long texts on a thread. */
export default function checkTextJob(input: TextInput): TextResult {
  return checkText(input)
}
