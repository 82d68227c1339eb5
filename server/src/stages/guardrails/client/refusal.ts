import type { GuardVerdict } from '#contracts/entities/guardrail.ts'

/** What Claude reads when a command is refused, and the user when it is asked about. */
export const refusalOf = ({ reason, rule, alternatives }: GuardVerdict): string =>
  [`Bash Gym: ${reason} (rule ${rule})`, ...alternatives.map((one) => `Instead: ${one}`)].join(' ')
