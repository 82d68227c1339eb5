import type { Finding } from '#contracts/entities/privacy.ts'
import { decodeValue, type PersonMention } from './replace/index.ts'

/** Longest text between a name and its mail address, such as ` <`, `", "email": "` or `\n\temail = `. */
const BETWEEN = 24

/** The people named in a text, each with the account of the mail address right after the name. */
export function peopleIn(text: string, findings: readonly Finding[]): PersonMention[] {
  return findings.flatMap(({ type, start, end }, index) => {
    if (type !== 'person') return []
    const next = findings[index + 1]
    const isOwnAddress = next?.type === 'email' && next.start - end <= BETWEEN
    const address = isOwnAddress ? decodeValue(text.slice(next.start, next.end)).plain : ''
    const sign = address.indexOf('@')
    return [{ name: decodeValue(text.slice(start, end)).plain, account: sign > 0 ? address.slice(0, sign) : null }]
  })
}
