import type { TeacherAnswers } from './trainer.ts'

/** Says how many of the teacher's answers are learned, and why the others are not. */
export function teacherWords({ asked, kept, sampling, ...rest }: TeacherAnswers): string {
  const { tooLong, promptTooLong, unwritten, unreadable, unknownTool, empty } = rest
  const reasons: readonly (readonly [number, string])[] = [
    [tooLong, `did not end within ${sampling.maxTokens} tokens (raise teacherTokens)`],
    [promptTooLong, 'have a prompt that fills the context of the teacher'],
    [unwritten, 'have a prompt that the chat template of the teacher cannot write'],
    [unreadable, 'have a call that cannot be read'],
    [unknownTool, 'call a tool that the row does not have'],
    [empty, 'say nothing'],
  ]
  const exclusions = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`)
  const how = sampling.temperature === 0 ? 'greedy' : `temperature ${sampling.temperature}`
  return `${kept} of ${asked} answers of the teacher are learned (${how}, at most ${sampling.maxTokens} tokens)${exclusions.length === 0 ? '' : `; ${exclusions.join(', ')}`}.`
}
