import { domainUserAt, passwdAt, requestAt, shadowAt, shareAt } from './machines/system-accounts.ts'
import { passwordFileAt } from './machines/command-forms.ts'
import { clientKeyAt } from './secrets/client-keys.ts'
import { CLASS, DIGIT, isWordCode, LOWER, UPPER } from './character-classes.ts'
import { addressAt, ipv4At, ipv6At, listingAt } from './machines/hosts.ts'
import { handleAt, hostsLineAt, idAt, timestampedHostAt } from './machines/log-lines.ts'
import { digitsAt, ibanAt, parenthesisAt, plusAt } from './people/unlabelled-numbers.ts'
import { nameBeforeMail, blameAt } from './people/introduced-people.ts'
import { entraSecretAt, MAY_BEGIN, mayBeKey, prefixedTokenAt, providerKeyAt, shapedKeyAt } from './secrets/provider-keys.ts'
import { jwtAt, pemAt, shortFlagAt } from './secrets/secret-formats.ts'
import type { Report } from './types.ts'
import { goDsnAt, urlAt } from './machines/urls.ts'
import { todoAuthorAt } from './machines/users-in-messages.ts'
import { matchAt } from './match-at.ts'

/** Lower-case letters that may start a key, a token, a listing or an IP address. */
const BEGINS = MAY_BEGIN.slice()
for (const char of 'efdl') BEGINS[char.charCodeAt(0)] = 1

/** Looks for keys, JWTs, IBANs, numbers and IP addresses that start at an identifier. Returns the end, or `start`. */
export function readWordStart(text: string, start: number, code: number, kind: number, report: Report): number {
  if (kind === DIGIT) {
    if (start > 0 && isWordCode(text.charCodeAt(start - 1))) return start
    const ipv6 = mayBeIpv6(text, start) ? ipv6At(text, start, report) : null
    if (ipv6 !== null) return ipv6
    const dot = text.charCodeAt(start + 1) === 46 || text.charCodeAt(start + 2) === 46 || text.charCodeAt(start + 3) === 46
    if (dot && text.charCodeAt(start - 1) !== 46) {
      const ipv4 = ipv4At(text, start, report)
      if (ipv4 !== null) {
        if (text.charCodeAt(ipv4) === 32 && text.charCodeAt(ipv4 + 1) === 45) requestAt(text, ipv4, report)
        else if (text.charCodeAt(ipv4) === 32 || text.charCodeAt(ipv4) === 9) hostsLineAt(text, start, ipv4, report)
        return ipv4
      }
    }
    let end = start + 1
    while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1
    const next = text.charCodeAt(end)
    if (end - start >= 8 && end - start <= 10 && next === 58) {
      const key = providerKeyAt(text, start)
      if (key !== null) {
        report(key.provider.type, key.provider.name, start, key.end, 0.95, true)
        return key.end
      }
    }
    if (end - start === 1 && next === 47) return keyAt(text, start, report)
    if (end - start === 4 && next === 45 && text.charCodeAt(start + 10) === 84) timestampedHostAt(text, start, report)
    if (end - start >= 12 || (end - start >= 2 && (next === 32 || next === 45 || next === 46 || next === 47))) {
      if (isWordCode(next)) return start
      return Math.max(digitsAt(text, start, report), end)
    }
    return isWordCode(next) ? start : end
  }
  if (code >= 128 || (kind === LOWER && BEGINS[code] === 0)) return start
  if (MAY_BEGIN[code] === 1 && mayBeKey(text, start, code)) {
    const end = keyAt(text, start, report)
    if (end > start) return end
  }
  if (code === 101 && text.startsWith('eyJ', start)) return jwtAt(text, start, report) ?? start
  if (
    text.charCodeAt(start + 2) >= 48 &&
    text.charCodeAt(start + 2) <= 57 &&
    text.charCodeAt(start + 3) >= 48 &&
    text.charCodeAt(start + 3) <= 57 &&
    kind === UPPER
  ) {
    return ibanAt(text, start, report) ?? start
  }
  if ((code === 102 || code === 70) && mayBeIpv6(text, start)) return ipv6At(text, start, report) ?? start
  if ((code === 100 || code === 108) && text.charCodeAt(start + 1) === 114) listingAt(text, start, report)
  return start
}

function keyAt(text: string, start: number, report: Report): number {
  const key = providerKeyAt(text, start)
  if (key === null) return start
  report(key.provider.type, key.provider.name, start, key.end, 0.95, true)
  if (key.end - start === 20) awsSecretAfter(text, key.end, report)
  return key.end
}

const SECOND_HALF =
  /["'`]?\s?(?:[:,;|/&\t]|and|und|et|y)\s?["'`]?((?=[A-Za-z0-9/+]*\d)(?=[A-Za-z0-9/+]*[a-z])(?=[A-Za-z0-9/+]*[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y
/** The secret key after an access key id: `AKIA… / …`. */
function awsSecretAfter(text: string, at: number, report: Report): void {
  const value = matchAt(SECOND_HALF, text, at)?.[1]
  if (value !== undefined) report('api_key', 'aws secret', SECOND_HALF.lastIndex - value.length, SECOND_HALF.lastIndex, 0.85)
}

export function reportShapedKey(text: string, start: number, end: number, report: Report): void {
  if (end - start > 100) return
  const key = shapedKeyAt(text, start)
  if (key !== null) report(key.provider.type, key.provider.name, start, key.end, 0.9, true)
  else reportPrefixedToken(text, start, report)
}

/** A long word that a short prefix and a sign precede: `abc_…`, `abc-…`. */
function reportPrefixedToken(text: string, start: number, report: Report): void {
  let from = start
  while (start - from < 40 && (text.charCodeAt(from - 1) === 45 || isWordCode(text.charCodeAt(from - 1)))) from -= 1
  if (start - from >= 40) return
  const end = prefixedTokenAt(text, from)
  if (end !== null) report('api_key', 'prefix and random characters', from, end, 0.65)
}

export function reportEntraSecret(text: string, tilde: number, report: Report): void {
  const secret = entraSecretAt(text, tilde)
  if (secret !== null) report('api_key', 'azure entra', secret.start, secret.end, 0.9, true)
}

/** Whether a colon follows after three or four characters. */
function mayBeIpv6(text: string, start: number): boolean {
  return text.charCodeAt(start + 4) === 58 || text.charCodeAt(start + 3) === 58
}

export function readSignal(text: string, at: number, code: number, report: Report, searchedTo: number): number {
  const next = text.charCodeAt(at + 1)
  if (code === 58) {
    if (next === 47 && text.charCodeAt(at + 2) === 47) {
      if (at >= searchedTo) urlAt(text, at, report)
      return at + 3
    }
    if (next === 120 && text.charCodeAt(at + 2) === 58) passwdAt(text, at, report)
    if (next === 33 || next === 42) shadowAt(text, at, report)
    if (next === 36 || next === 42 || next === 123 || (next >= 48 && next <= 57)) passwordFileAt(text, at, report)
    return at + 1
  }
  if (code === 64) {
    addressAt(text, at, report)
    const before = text.charCodeAt(at - 1)
    if (before === 32 || before === 10 || at === 0) handleAt(text, at, report)
    if (next === 116 || next === 117 || next === 40) goDsnAt(text, at, report)
    return at + 1
  }
  if (code === 45) {
    if (next === 45) {
      let end = at + 2
      while (text.charCodeAt(end) === 45) end += 1
      if (end - at >= 5 && (text.charCodeAt(end) === 66 || text.charCodeAt(end) === 69)) return pemAt(text, end - 5, report) ?? end
      return end
    }
    if (next === 114 && (text.charCodeAt(at + 2) === 119 || text.charCodeAt(at + 2) === 45)) listingAt(text, at, report)
    const before = at === 0 ? 32 : text.charCodeAt(at - 1)
    if (
      (before === 32 || before === 10 || before === 9) &&
      (next === 112 || next === 117 || next === 97 || next === 80 || next === 119 || next === 98)
    )
      shortFlagAt(text, at, report)
    return at + 1
  }
  if (code === 43) return (next >= 48 && next <= 57) || next === 40 ? (plusAt(text, at, report) ?? at + 1) : at + 1
  if (code === 40) {
    clientKeyAt(text, at, report)
    if (next >= 48 && next <= 57) return parenthesisAt(text, at, report) ?? at + 1
    if ((next >= 65 && next <= 90) || next >= 0xc0) blameAt(text, at, report)
    else if (next >= 97 && next <= 122 && CLASS[text.charCodeAt(at - 1)] === DIGIT) idAt(text, at, report)
    else if ((next === 64 || (next >= 97 && next <= 122)) && CLASS[text.charCodeAt(at - 1)] === UPPER) todoAuthorAt(text, at, report)
    return at + 1
  }
  if (code === 92) {
    if (next === 92) shareAt(text, at, report)
    else domainUserAt(text, at, report)
  } else nameBeforeMail(text, at, report)
  return at + 1
}
