import type { ModAnswer, ModStep } from '#contracts/entities/router.ts'
import type { TaskEndpoint } from '#contracts/entities/task.ts'
import type { OpenModel } from '../models.ts'

/** The gym agent's tools have the schemas of this version of Claude Code, and answer in its words. */
export const TOOLS_OF_CLIENT = '2.1.329'

/** Why a model gave no answer that can be used, as a sentence for whoever gave it its task. */
export class NoAnswer extends Error {}

/** A conversation in the form of Claude Code's API, with the folder that its model is told about. */
export interface GymConversation {
  messages: ModStep['messages']
  place: { cwd: string; gitBranch: string | null }
}

/** The next answer of a model, asked as it was trained and examined. Throws `NoAnswer`, or what asking it throws. */
export type NextTurn = (
  conversation: GymConversation,
  { ask, model, label }: { ask: OpenModel['ask']; model: string | null; label: string },
  signal: AbortSignal,
) => Promise<Pick<ModAnswer, 'text' | 'calls' | 'usage'> & { costUsd: number | null }>

export interface GymTurns {
  next: NextTurn
  /** The model's name in transcripts, by which its work is told from Claude's; null for a provider's model. */
  nameOf: (endpoint: TaskEndpoint, model: string | undefined) => string | null
}
