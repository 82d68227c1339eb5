/** Why no task can be made of some calls, in a sentence. */
export class Unfit extends Error {}
