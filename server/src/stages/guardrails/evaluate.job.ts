import { evaluateWithTimeLimit } from './evaluate.ts'

/** Checks long commands on a thread. */
export default function evaluateJob(input: Parameters<typeof evaluateWithTimeLimit>): ReturnType<typeof evaluateWithTimeLimit> {
  return evaluateWithTimeLimit(...input)
}
