/** Raised whenever a change of the rules changes scores. */
export const SCORE_VERSION = 2
