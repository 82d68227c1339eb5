import { lookup } from '#contracts/lookup.ts'
import type { ReviewState } from '#contracts/entities/example.ts'

export const STATES: readonly ReviewState[] = ['proposed', 'accepted', 'rejected']
export const STATE_WORDS: Record<ReviewState, string> = { proposed: 'To review', accepted: 'Accepted', rejected: 'Rejected' }

/** Labels and meanings of the flags of examples. */
const FLAGS: Record<string, { label: string; meaning: string }> = lookup({
  calls_without_result: { label: 'no result', meaning: 'A tool call has no recorded result; a placeholder says so.' },
  results_without_call: { label: 'stray result', meaning: 'A tool result has no matching call.' },
  no_prompt: { label: 'no prompt', meaning: 'No user prompt before the work began.' },
  carried_prompt: {
    label: 'carried prompt',
    meaning: 'The prompt comes from earlier in the session and is repeated here.',
  },
  split: { label: 'split', meaning: 'The task exceeded the maximum number of turns and was split into several examples.' },
  too_long: { label: 'too long', meaning: 'Exceeds the maximum number of turns and could not be split.' },
  trimmed: { label: 'trimmed', meaning: 'Long outputs were shortened in the middle; each cut is marked.' },
  findings: { label: 'findings', meaning: 'Some text was replaced by the privacy policy.' },
  secrets: { label: 'secrets', meaning: 'A secret was found and replaced.' },
  low_success: { label: 'low success', meaning: 'Many tool calls failed.' },
  has_errors: { label: 'errors', meaning: 'At least one tool call failed.' },
  interrupted: { label: 'interrupted', meaning: 'A tool call was interrupted.' },
  rejected_calls: { label: 'rejected calls', meaning: 'A tool call was rejected by the user or a rule.' },
  context_only: {
    label: 'context only',
    meaning: 'Some answers are not trained on: mistakes that were refused, interrupted, or put right later, and answers of mods.',
  },
  answered_by_mod: { label: 'mod', meaning: 'A mod of the client gave some of the answers; they are not trained on.' },
  image: { label: 'image', meaning: 'An image was replaced by a placeholder.' },
  tools_inferred: {
    label: 'tools inferred',
    meaning: "A tool's schema was inferred from its calls; the original was not recorded.",
  },
  system_not_recorded: {
    label: 'no recorded system prompt',
    meaning: 'The client did not record its system prompt; a short one is used instead.',
  },
  compacted: { label: 'compacted', meaning: 'The conversation was compacted during the task.' },
  api_error: { label: 'API error', meaning: "The model's API returned an error." },
  edited: { label: 'edited', meaning: 'You edited the messages; the session itself is unchanged.' },
  edit_outdated: { label: 'source changed', meaning: 'The session changed after you edited this example.' },
  generated: { label: 'generated', meaning: 'A model wrote this prompt, based on an accepted example.' },
  no_solution: { label: 'no solution', meaning: 'A task without a solution: used in prompt data sets only, never as an SFT example.' },
  parent_changed: { label: 'original changed', meaning: 'The example this is based on has changed since.' },
})

/** An unknown flag is shown by its name. */
export const flagWords = (flag: string): { label: string; meaning: string } =>
  FLAGS[flag] ?? { label: flag.replaceAll('_', ' '), meaning: flag.replaceAll('_', ' ') }

/** Why a session or segment gave no example. */
const REASONS: Record<string, { label: string; meaning: string }> = lookup({
  'agent run': { label: 'Agent run', meaning: 'an agent did this work, not you; include it by model above' },
  'set to failed by you': { label: 'Set to failed by you', meaning: 'choose the tier failed to use it' },
  no_steps: { label: 'No tool calls', meaning: 'no tool was called' },
  no_prompt: { label: 'No prompt', meaning: 'no user prompt before the work' },
  no_own_prompt: { label: 'No prompt of its own', meaning: 'the prompt came earlier and is not carried over' },
  empty: { label: 'No model output', meaning: 'nothing the model wrote is left' },
  unasked: { label: 'Nothing asked for it', meaning: 'the session does not record what asked for the answers' },
  answered_by_mod: { label: 'Answered by a mod', meaning: 'a mod of the client answered, not the model' },
  only_mistakes: { label: 'Only corrected calls', meaning: 'every answer was refused, interrupted or corrected later' },
  only_failures: { label: 'Only failures', meaning: 'every step with a known outcome failed' },
  low_success: { label: 'Too many failures', meaning: 'step success rate below the minimum' },
})
export const reasonWords = (reason: string): { label: string; meaning: string } =>
  REASONS[reason] ?? { label: reason.replaceAll('_', ' '), meaning: '' }

export const findingWord = (type: string): string => type.replaceAll('_', ' ')
