import type { Finding } from '#contracts/entities/privacy.ts'
import { readWritten, type Met } from './replace/index.ts'

/** Text between a name and its own address: ` <`, `", "email": "`, `\n\temail = `. */
const BETWEEN = 24

/** The people named in a text, each with the account of the mail address right after the name. */
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
