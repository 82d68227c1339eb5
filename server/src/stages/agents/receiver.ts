import type { RedactionPlan } from '#contracts/entities/privacy.ts'
import type { FoundModel } from './models.ts'

/** What sends the requests: the agent's own program through our proxy, or our own client. */
type Sender = 'program' | 'server'

/** By default on for what leaves this machine. Our own client sends only what passed the privacy gate there. */
export function redactionOf(asked: boolean | undefined, { isOutside }: Pick<FoundModel, 'isOutside'>, sender: Sender): RedactionPlan {
  const isFixed = sender === 'server' && isOutside
  return { isOn: isFixed || (asked ?? isOutside), isFixed }
}

/** Who gets the prompt and the files, and what is replaced in them first. */
export function privacyOf({ receiver }: Pick<FoundModel, 'receiver'>, { isOn, isFixed }: RedactionPlan): string {
  const who = `The prompt, and what the agent reads of the files, go to ${receiver}`
  if (!isOn) return `${who} as they are: secrets and personal data in them are not replaced.`
  const what = isFixed
    ? 'Secrets and personal data in them are replaced first, by your privacy policy'
    : 'Secrets that Bash Gym recognises in them are replaced first, personal data is not'
  return `${who}. ${what}. The model sees placeholders such as [API_KEY_1], and a file that it writes with one contains the placeholder.`
}
