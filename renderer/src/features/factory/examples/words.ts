import { lookup } from '#contracts/lookup.ts'
import type { ReviewState } from '#contracts/entities/example.ts'

export const STATES: readonly ReviewState[] = ['proposed', 'accepted', 'rejected']
export const STATE_WORDS: Record<ReviewState, string> = { proposed: 'To review', accepted: 'Accepted', rejected: 'Rejected' }

/** What a reviewer should know about an example: a short word, and what it means. */
const FLAGS: Record<string, { label: string; meaning: string }> = lookup({
  calls_without_result: { label: 'no result', meaning: 'A call has no recorded result; a line says so in its place.' },
  results_without_call: { label: 'stray result', meaning: 'A result came without the call that asked for it.' },
  no_prompt: { label: 'no prompt', meaning: 'Nothing was asked before the work began.' },
  carried_prompt: {
    label: 'carried prompt',
    meaning: 'The task was asked in an earlier part of the session; that prompt stands here again.',
  },
  split: { label: 'split', meaning: 'The task had more turns than allowed and became several examples.' },
  too_long: { label: 'too long', meaning: 'Longer than the turns allowed, and could not be split.' },
  trimmed: { label: 'trimmed', meaning: 'Long outputs lost their middle; the place is marked.' },
  findings: { label: 'findings', meaning: 'The privacy policy found and replaced something.' },
  secrets: { label: 'secrets', meaning: 'A secret was found and replaced.' },
  low_success: { label: 'low success', meaning: 'Many of its calls failed.' },
  has_errors: { label: 'errors', meaning: 'At least one call failed.' },
  interrupted: { label: 'interrupted', meaning: 'A call was interrupted.' },
  rejected_calls: { label: 'refused calls', meaning: 'The user or a rule refused a call.' },
  image: { label: 'image', meaning: 'An image stood here; a marker takes its place.' },
  tools_inferred: {
    label: 'tools inferred',
    meaning: 'The schema of a tool was worked out from its calls; it is not known as the client sent it.',
  },
  system_not_recorded: {
    label: 'no recorded system prompt',
    meaning: 'The client did not record its system prompt; a short one stands there.',
  },
  compacted: { label: 'compacted', meaning: 'The client compacted the conversation in the middle of the task.' },
  api_error: { label: 'API error', meaning: 'The client met an error of the model’s service.' },
  edited: { label: 'edited', meaning: 'You changed the messages; the source stays as it is.' },
  edit_outdated: { label: 'source changed', meaning: 'The session changed after you edited this example.' },
  generated: { label: 'generated', meaning: 'A model wrote its prompt after that of an accepted example.' },
  no_solution: { label: 'no solution', meaning: 'A task alone: it goes into data sets of prompts, never into examples to imitate.' },
  parent_changed: { label: 'original changed', meaning: 'The example that it was made from changed afterwards.' },
})

/** A flag that is not known keeps its own name. */
export const flagWords = (flag: string): { label: string; meaning: string } =>
  FLAGS[flag] ?? { label: flag.replaceAll('_', ' '), meaning: flag.replaceAll('_', ' ') }

/** Why a session or a part of one gave no example. */
const REASONS: Record<string, { label: string; meaning: string }> = lookup({
  low_quality: { label: 'Quality too low', meaning: 'sessions whose quality is under the least, or not measured' },
  no_steps: { label: 'No calls', meaning: 'sessions in which no tool was called' },
  no_prompt: { label: 'No prompt', meaning: 'nothing was asked before the work' },
  no_own_prompt: { label: 'No prompt of its own', meaning: 'the task was asked earlier, and prompts are not carried on' },
  empty: { label: 'Nothing said', meaning: 'nothing of the model is left in it' },
  only_failures: { label: 'Only failures', meaning: 'every call with a known outcome failed' },
  low_success: { label: 'Too many failures', meaning: 'fewer calls succeeded than the least share' },
})
export const reasonWords = (reason: string): { label: string; meaning: string } =>
  REASONS[reason] ?? { label: reason.replaceAll('_', ' '), meaning: '' }

/** "email" for one type of finding, as words. */
export const findingWord = (type: string): string => type.replaceAll('_', ' ')
