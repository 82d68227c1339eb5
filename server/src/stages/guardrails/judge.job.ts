import { judgeInTime } from './judge.ts'

/** The judge on a thread, for long commands. */
export default function judgeJob(input: Parameters<typeof judgeInTime>): ReturnType<typeof judgeInTime> {
  return judgeInTime(...input)
}
