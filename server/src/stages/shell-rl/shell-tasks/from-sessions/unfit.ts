/** No task can be made of some calls; the message says why. */
export class UnfitError extends Error {}
