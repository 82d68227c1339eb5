import { lookup } from '#contracts/lookup.ts'
import { birthDateAt } from './dates.ts'
import { isUser } from '../machines/hosts.ts'
import { nameLikeness } from './names.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import type { PiiType, Report } from '../types.ts'

/** Names and addresses in vCard, iCalendar and LDAP entries. */

const CARD = /(?:^|\n)(?:item\d\.)?(N|FN|ADR|NICKNAME|BDAY)((?:;[\w-]+(?:=[\w",:-]+)?)*):([^\n]{1,400})/g
const PLACES: (PiiType | null)[] = ['address', 'address', 'address', 'city', null, 'zip_code', 'country']

/** Maximum number of characters read of an entry. */
const LONGEST = 100_000
/** The text from `start` to the end of the entry or the start of the next one. */
const entryAt = (text: string, start: number, first: string, last: string) => {
  const whole = text.slice(start, start + LONGEST)
  const next = whole.indexOf(first, 1)
  const entry = next < 0 ? whole : whole.slice(0, next)
  const end = entry.indexOf(last)
  return end < 0 ? entry : entry.slice(0, end)
}

/** Reads the entry that starts with the `BEGIN` at `start`: `N:Roe;Jane;;;`, `ADR;TYPE=home:;;Main Street 12;Town;;12345;Land`. */
export function cardAt(text: string, start: number, report: Report): void {
  const kind = /BEGIN:(VCARD|VCALENDAR|VEVENT)/y.exec(text.slice(start, start + 16))?.[1]
  if (kind === undefined) return
  const entry = entryAt(text, start, `BEGIN:${kind}`, `END:${kind}`)
  if (kind === 'VCARD') reportCard(entry, start, report)
  else
    for (const { 0: whole, 1: name, index } of entry.matchAll(ATTENDEE)) {
      const at = start + index + whole.indexOf(name!)
      if (/\p{L}/u.test(name!) && !name!.includes('@')) report('person', 'calendar', at, at + name!.length, 0.85)
    }
}

function reportCard(entry: string, start: number, report: Report): void {
  for (const match of entry.matchAll(CARD)) {
    const [whole, name, , value] = match as unknown as [string, string, string, string]
    const at = start + match.index + whole.length - value.length
    if (name === 'BDAY') {
      const end = birthDateAt(entry, at - start)
      if (end !== null) report('date_of_birth', 'vcard', at, start + end, 0.92, true)
    } else if (name === 'FN') report('person', 'vcard', at, at + value.trimEnd().length, 0.85)
    else if (name === 'NICKNAME') report('username', 'vcard', at, at + value.trimEnd().length, 0.55)
    else reportParts(value, at, name === 'N' ? ['person', 'person', 'person'] : PLACES, report)
  }
}
const ATTENDEE = /(?:^|\n)(?:ATTENDEE|ORGANIZER)[^:\n]{0,200}?;CN="?([^":;\n]{2,60})/g

function reportParts(value: string, at: number, types: readonly (PiiType | null)[], report: Report): void {
  let from = at
  for (const [index, part] of value.split(';').entries()) {
    const type = types[index] ?? null
    const end = from + part.trimEnd().length
    if (type !== null && part.trim().length > 1 && /[\p{L}\d]/u.test(part)) report(type, 'vcard', from, end, 0.85)
    from += part.length + 1
  }
}

const ENTRY: Readonly<Record<string, PiiType>> = lookup({
  cn: 'person',
  sn: 'person',
  givenname: 'person',
  displayname: 'person',
  gecos: 'person',
  uid: 'username',
  samaccountname: 'username',
  memberuid: 'username',
  l: 'city',
  street: 'address',
  streetaddress: 'address',
  postalcode: 'zip_code',
  co: 'country',
  telephonenumber: 'phone',
  mobile: 'phone',
  homephone: 'phone',
})
const ATTRIBUTE = /(?:^|\n)([A-Za-z]{1,16}): ([^\n]{2,80}?)[ \t]*(?=\r?\n|$)/g
/** Reads attributes of people in a directory entry (LDIF) that starts with the `dn` at `start`. */
export function directoryAt(text: string, start: number, report: Report): void {
  if (start > 0 && text.charCodeAt(start - 1) !== 10) return
  if (!/^dn: \w+=/.test(text.slice(start, start + 100))) return
  const entry = entryAt(text, start, '\ndn:', '\n\n')
  for (const { 0: whole, 1: name, 2: value, index } of entry.matchAll(ATTRIBUTE)) {
    const type = ENTRY[name!.toLowerCase()]
    if (type === undefined || isPlaceholder(value!)) continue
    const at = start + index + whole.length - value!.length
    if (
      type === 'person'
        ? nameLikeness(value!).sure === 0 || (name === 'cn' && !value!.includes(' '))
        : type === 'username'
          ? !isUser(value!)
          : type === 'city'
            ? !/^\p{Lu}/u.test(value!)
            : type === 'phone'
              ? value!.replaceAll(/\D/g, '').length < 7
              : false
    )
      continue
    report(type, 'directory', at, at + value!.length, 0.75)
  }
}
