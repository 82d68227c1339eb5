import type { FoundModel } from './models.ts'

/** Who gets the prompt and the files, and whether secrets in them are replaced first. `through`: the agent's own program, or this server. */
export const privacyOf = ({ receiver, isGated }: Pick<FoundModel, 'receiver' | 'isGated'>, through: 'program' | 'server'): string =>
  through === 'server' && isGated
    ? `The prompt, and what the agent reads of the files, go to ${receiver}. Secrets and personal data in them are replaced first, by your privacy policy.`
    : `The prompt, and what the agent reads of the files, go to ${receiver} as they are: secrets and personal data in them are not replaced.`
