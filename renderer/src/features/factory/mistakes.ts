/** Answers that a model should not learn to imitate, as ticks: on, they stay as context and carry no loss. */
export const MISTAKES = [
  {
    option: 'skipRefused',
    label: 'No refused calls',
    hint: 'Calls that you or a rule refused, or that were interrupted, stay as context and are not trained on.',
  },
  {
    option: 'skipRetried',
    label: 'No failed edits or commands that were retried',
    hint: 'Calls that failed and were then repeated with success stay as context and are not trained on.',
  },
] as const
