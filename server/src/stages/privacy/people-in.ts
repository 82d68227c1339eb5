import type { Finding } from '#contracts/entities/privacy.ts'
import { readWritten, type Met } from './replace/index.ts'

/** Between a name and the address that is its own: ` <`, `", "email": "`, `\n\temail = `. */
const BETWEEN = 24

/** The people that a text names, each with the account of the mail address right behind the name. */
export function peopleIn(text: string, findings: readonly Finding[]): Met[] {
  return findings.flatMap(({ type, start, end }, index) => {
    if (type !== 'person') return []
    const next = findings[index + 1]
    const isOwn = next?.type === 'email' && next.start - end <= BETWEEN
    const address = isOwn ? readWritten(text.slice(next.start, next.end)).plain : ''
    const sign = address.indexOf('@')
    return [{ name: readWritten(text.slice(start, end)).plain, account: sign > 0 ? address.slice(0, sign) : null }]
  })
}
