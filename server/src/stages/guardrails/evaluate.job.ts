import { evaluateWithTimeLimit } from './evaluate.ts'

/** The judge on a thread, for long commands. */
export default function evaluateJob(input: Parameters<typeof evaluateWithTimeLimit>): ReturnType<typeof evaluateWithTimeLimit> {
  return evaluateWithTimeLimit(...input)
}
