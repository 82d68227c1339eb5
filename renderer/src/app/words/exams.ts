import type { ExamVerdict } from '#contracts/entities/evaluation.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const VERDICT_TONES: Readonly<Record<ExamVerdict, Tone>> = {
  ship: 'ok',
  not_proven: 'neutral',
  bounded_null: 'neutral',
  worse: 'bad',
  refused: 'warn',
}
