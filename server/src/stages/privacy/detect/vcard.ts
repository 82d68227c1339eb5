import { birthDateAt } from './dates.ts'
import { isUser } from './hosts.ts'
import { nameLikeness } from './names.ts'
import { isPlaceholder } from './placeholders.ts'
import type { PiiType, Report } from './types.ts'

/** Names and addresses of vCard, iCalendar and LDAP entries, by their place. */

const CARD = /(?:^|\n)(?:item\d\.)?(N|FN|ADR|NICKNAME|BDAY)((?:;[\w-]+(?:=[\w",:-]+)?)*):([^\n]{1,400})/g
const PLACES: (PiiType | null)[] = ['address', 'address', 'address', 'city', null, 'zip_code', 'country']

/** `N:Roe;Jane;;;` and `ADR;TYPE=home:;;Main Street 12;Town;;12345;Land` between `BEGIN:VCARD` and its end. */
export function cards(text: string, report: Report): void {
  if (text.includes('dn: ')) entries(text, report)
  if (!text.includes('BEGIN:V')) return
  if (text.includes('BEGIN:VCARD'))
    for (const match of text.matchAll(CARD)) {
      const [whole, name, , value] = match as unknown as [string, string, string, string]
      const at = match.index + whole.length - value.length
      if (name === 'BDAY') {
        const end = birthDateAt(text, at)
        if (end !== null) report('date_of_birth', 'vcard', at, end, 0.92, true)
      } else if (name === 'FN') report('person', 'vcard', at, at + value.trimEnd().length, 0.85)
      else if (name === 'NICKNAME') report('username', 'vcard', at, at + value.trimEnd().length, 0.55)
      else parts(value, at, name === 'N' ? ['person', 'person', 'person'] : PLACES, report)
    }
  if (text.includes('BEGIN:VCALENDAR') || text.includes('BEGIN:VEVENT'))
    for (const { 0: whole, 1: name, index } of text.matchAll(ATTENDEE)) {
      const at = index + whole.indexOf(name!)
      if (/\p{L}/u.test(name!) && !name!.includes('@')) report('person', 'calendar', at, at + name!.length, 0.85)
    }
}
const ATTENDEE = /(?:^|\n)(?:ATTENDEE|ORGANIZER)[^:\n]{0,200}?;CN="?([^":;\n]{2,60})/g

function parts(value: string, at: number, types: readonly (PiiType | null)[], report: Report): void {
  let from = at
  for (const [index, part] of value.split(';').entries()) {
    const type = types[index] ?? null
    const end = from + part.trimEnd().length
    if (type !== null && part.trim().length > 1 && /[\p{L}\d]/u.test(part)) report(type, 'vcard', from, end, 0.85)
    from += part.length + 1
  }
}

const ENTRY: Readonly<Record<string, PiiType>> = {
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
}
const ATTRIBUTE = /(?:^|\n)([A-Za-z]{1,16}): ([^\n]{2,80}?)[ \t]*(?=\r?\n|$)/g
/** Attributes of people in entries of a directory (LDIF), by their names. */
function entries(text: string, report: Report): void {
  if (!/(?:^|\n)dn: \w+=/.test(text)) return
  for (const { 0: whole, 1: name, 2: value, index } of text.matchAll(ATTRIBUTE)) {
    const type = ENTRY[name!.toLowerCase()]
    if (type === undefined || isPlaceholder(value!)) continue
    const at = index + whole.length - value!.length
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
