import type { PreviewPiece } from '#contracts/entities/preview.ts'

/** Tokens in a row that are alike: with or without loss, before or behind the training length. */
export interface Run {
  trained: boolean
  /** Behind the training length: the trainer cuts it off. */
  cut: boolean
  tokens: PreviewPiece['tokens']
}

/** Pieces, cut in two where the training length falls inside one. Nothing is lost: the tokens of all runs are those of the pieces. */
export function runsOf(pieces: readonly PreviewPiece[], maxTokens: number | null): Run[] {
  const runs: Run[] = []
  let at = 0
  for (const { trained, tokens } of pieces) {
    const kept = maxTokens === null ? tokens.length : Math.min(tokens.length, Math.max(0, maxTokens - at))
    if (kept > 0) runs.push({ trained, cut: false, tokens: tokens.slice(0, kept) })
    if (kept < tokens.length) runs.push({ trained, cut: true, tokens: tokens.slice(kept) })
    at += tokens.length
  }
  return runs
}

export const textOf = (run: Run): string => run.tokens.map(({ text }) => text).join('')
