import type { TeacherAnswers } from './trainer.ts'

/** Says how many of the teacher's answers are learned, and why the others are not. */
export function teacherWords({ asked, kept, sampling, ...rest }: TeacherAnswers): string {
  const { tooLong, promptTooLong, unwritten, unreadable, unknownTool, empty } = rest
  const reasons: readonly (readonly [number, string])[] = [
    [tooLong, `did not end within ${sampling.maxTokens} tokens (raise teacherTokens)`],
    [promptTooLong, "have a prompt that fills the teacher's context"],
    [unwritten, "have a prompt that the teacher's chat template cannot render"],
    [unreadable, 'have a call that cannot be read'],
    [unknownTool, 'call a tool that the row does not have'],
    [empty, 'are empty'],
  ]
  const exclusions = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`)
  const how = sampling.temperature === 0 ? 'greedy' : `temperature ${sampling.temperature}`
  return `${kept} of the teacher's ${asked} answers are used (${how}, at most ${sampling.maxTokens} tokens)${exclusions.length === 0 ? '' : `; ${exclusions.join(', ')}`}.`
}
