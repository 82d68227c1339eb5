/** Numeric options of examples. `isShare`: fractions are allowed. */
export const EXAMPLE_NUMBERS = [
  {
    option: 'outputChars',
    label: 'Max output length',
    hint: 'Characters. Longer tool results are shortened in the middle, and the cut is marked.',
    unit: 'characters',
    min: 200,
    max: 1_000_000,
    isShare: false,
  },
  {
    option: 'maxTurns',
    label: 'Max turns',
    hint: 'Assistant turns per example. Longer tasks are split into several examples; nothing is cut off.',
    unit: 'turns',
    min: 1,
    max: 500,
    isShare: false,
  },
  {
    option: 'gapMinutes',
    label: 'Idle time that ends a task',
    hint: 'Minutes without a step; then a new task begins.',
    unit: 'minutes',
    min: 1,
    max: 1440,
    isShare: false,
  },
  {
    option: 'minSuccessShare',
    label: 'Minimum step success rate',
    hint: 'From 0 to 1, of steps with a known outcome. Tasks below this are excluded.',
    unit: 'of 1',
    min: 0,
    max: 1,
    isShare: true,
  },
] as const

export const EXAMPLE_SWITCHES = [
  { option: 'thinking', label: 'Thinking', hint: "Keeps the model's thinking in <think> tags before the call it led to." },
  {
    option: 'carryPrompt',
    label: 'Carry prompt over',
    hint: 'Tasks without their own prompt reuse the previous one. When off, they are excluded.',
  },
] as const

export const SYSTEM_PROMPTS = [
  { value: 'short', label: 'Short' },
  { value: 'recorded', label: 'As recorded' },
  { value: 'own', label: 'Custom' },
  { value: 'none', label: 'None' },
] as const

/** Options for answers that a model should not imitate: checked, they stay as context and carry no loss. */
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
