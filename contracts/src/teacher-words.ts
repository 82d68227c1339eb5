import type { TeacherAnswers } from './trainer.ts'

/** How many answers of a teacher are learned, and why not the rest. */
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
  const left = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`)
  const how = sampling.temperature === 0 ? 'greedy' : `temperature ${sampling.temperature}`
  return `${kept} of ${asked} answers of the teacher are learned (${how}, at most ${sampling.maxTokens} tokens)${left.length === 0 ? '' : `; ${left.join(', ')}`}.`
}
