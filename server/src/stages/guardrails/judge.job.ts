import { judge } from './judge.ts'

/** The judge on a thread, for long commands. */
export default function judgeJob(input: Parameters<typeof judge>): ReturnType<typeof judge> {
  return judge(...input)
}
