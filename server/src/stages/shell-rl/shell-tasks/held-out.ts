/** Split names that mean held-out tasks. */
const NAMES = new Set(['test', 'eval', 'heldout'])

export const isHeldOutName = (split: string): boolean => NAMES.has(split) || split.endsWith('-heldout')
