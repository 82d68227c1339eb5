import type { GuardVerdict } from '#contracts/entities/guardrail.ts'

/** What begins a refusal of ours; a command that could not be checked has other words. */
export const REFUSAL = 'Bash Gym: '

/** What Claude reads when a command is refused, and the user when it is asked about. */
export const refusalOf = ({ reason, rule, alternatives }: GuardVerdict): string =>
  [`${REFUSAL}${reason} (rule ${rule})`, ...alternatives.map((one) => `Instead: ${one}`)].join(' ')
