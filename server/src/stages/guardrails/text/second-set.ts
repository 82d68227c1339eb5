/** What the rules for texts find of a set of texts that they were not made with (`labelled/guardrails/texts-second.txt`); a test counts again. */
export const SECOND_SET = { attacks: 30, found: 9, ordinary: 34, falseAlarms: 1 } as const
