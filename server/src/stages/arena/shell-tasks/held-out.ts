/** Splits that are held out by their name. */
const NAMES = new Set(['test', 'eval', 'heldout'])

export const isHeldOutName = (split: string): boolean => NAMES.has(split) || split.endsWith('-heldout')
