import { SECRET_TYPES, type Finding, type PiiType } from '#contracts/entities/privacy.ts'
import { applyFindings, type Decide } from './apply.ts'
import { decodeValue } from './encoded.ts'

type Scan = (text: string) => readonly Finding[]

interface Part {
  start: number
  end: number
  type: PiiType
}

interface Link {
  scheme: string
  /** Empty if the link has no user. */
  user: string
  password: string
  /** Host and path. */
  place: string
  /** Query and fragment, or the settings of a JDBC link. */
  query: string
}

const SCHEME = /^(?:jdbc:)?[a-z][a-z\d+.-]*:\/\//i
/** Schemes whose query may contain an "@". In other links the last "@" ends the user part. */
const WEB = /^(?:https?|wss?|ftps?|git|ssh)(?:\+\w+)?:/i

/** The parts of a link; null if the text is no link, or the end of its password is ambiguous. */
function parseLink(text: string): Link | null {
  const scheme = SCHEME.exec(text)?.[0]
  if (scheme === undefined) return null
  const isJdbc = /^jdbc:/i.test(scheme)
  if (isJdbc && text.includes('{')) return null
  const body = text.slice(scheme.length)
  const [front = ''] = body.split(/[?#]/, 1)
  const sign = front.lastIndexOf('@')
  const authority = /^[^/;]*/.exec(front)![0]
  // unencoded "@" and ":" in a password make its end ambiguous
  const isUnambiguous =
    sign < 0
      ? /^(?:[^:]*|\[[^\]]*\])(?::\d*)?$/.test(authority)
      : sign === front.indexOf('@') && sign < authority.length && (WEB.test(scheme) || sign === body.lastIndexOf('@'))
  if (!isUnambiguous || /[?#&][^=&#]*@/.test(body)) return null
  const [user = '', ...password] = front.slice(0, Math.max(0, sign)).split(':')
  const rest = body.slice(sign + 1)
  const at = rest.search(isJdbc ? /[?#;]/ : /[?#]/)
  return {
    scheme,
    user,
    password: password.join(':'),
    place: at < 0 ? rest : rest.slice(0, at),
    query: at < 0 ? '' : rest.slice(at),
  }
}

const TYPES: readonly (readonly [RegExp, PiiType])[] = [
  [/pass|pwd/i, 'password'],
  [/key|sid$|app_?id$/i, 'api_key'],
  [/token|auth|jwt|session|code|ticket|credential|sig|hmac/i, 'auth_token'],
]
const typeOf = (name: string): PiiType => TYPES.find(([form]) => form.test(name))?.[1] ?? 'secret'

const isSecret = ({ type }: Finding) => SECRET_TYPES.includes(type)
const holdsSecret = (scan: Scan, text: string) => scan(text).some(isSecret)

/** Whether a finding is an internal address, which is replaced as a whole. */
const isInternalUrl = ({ type }: Finding) => type === 'url'

/** A replacement that no detector reports. */
const NEUTRAL = '[SECRET_1]'

/** The credentials in a link; null if they cannot be separated or the rest still grants access. */
function credentialsIn(text: string, link: Link, scan: Scan): Part[] | null {
  const { scheme, user, password, place, query } = link
  const parts: Part[] = []
  // the user is scanned without the password, which would hide it
  if (user !== '' && holdsSecret(scan, `${scheme}${user}@${place}`))
    parts.push({ start: scheme.length, end: scheme.length + user.length, type: 'secret' })
  if (password !== '') {
    const start = scheme.length + user.length + 1
    parts.push({ start, end: start + password.length, type: 'password' })
  }
  const from = text.length - query.length
  // a name starts after a separator: trying every letter would take quadratic time in a long text without "="
  const form = /^jdbc:/i.test(scheme) ? /(?<![^=?&#;])([^=?&#;]+)=([^&#;]*)/g : /(?<![^=?&#])([^=?&#]+)=([^&#]*)/g
  for (const { 0: setting, 1: name, 2: value, index } of query.matchAll(form)) {
    if (value === '' || !holdsSecret(scan, `${scheme}${place}${query[index - 1] ?? '?'}${setting}`)) continue
    const end = from + index + setting.length
    parts.push({ start: end - value!.length, end, type: typeOf(name!) })
  }
  if (parts.length === 0) return null
  const rest = scan(replaceParts(text, parts, () => NEUTRAL))
  return rest.some((finding) => isSecret(finding) || isInternalUrl(finding)) ? null : parts
}

function replaceParts(text: string, parts: readonly Part[], write: (part: Part, raw: string) => string): string {
  let at = 0
  const pieces = parts.map((part) => {
    const piece = text.slice(at, part.start) + write(part, text.slice(part.start, part.end))
    at = part.end
    return piece
  })
  return pieces.join('') + text.slice(at)
}

/**
 * A link with its credentials replaced by labels, so that scheme, host and path stay readable. `decide` replaces other
 * personal data in it. Null if the whole text must be replaced, because it is no link or its credentials are inseparable.
 */
export function redactLink(
  text: string,
  { scan, label, decide }: { scan: Scan; label: (type: PiiType, value: string) => string; decide: Decide },
): string | null {
  const link = parseLink(text)
  const parts = link && credentialsIn(text, link, scan)
  if (!parts) return null
  const redacted = replaceParts(text, parts, ({ type }, raw) => label(type, decodeValue(raw).plain))
  const redactedLink = applyFindings(redacted, scan(redacted), decide, scan).text
  if (link.user === '' || parts.some(({ start }) => start === link.scheme.length)) return redactedLink
  // detectors skip a user next to a password, so the user is scanned alone
  const { scheme, user, place } = link
  const userOnly = `${scheme}${user}@${place}`
  const end = scheme.length + user.length
  const redactedUser = applyFindings(
    userOnly,
    scan(userOnly).filter(({ start, end: to }) => start >= scheme.length && to <= end),
    decide,
    scan,
  ).text
  return redactedLink.startsWith(`${scheme}${user}`)
    ? redactedUser.slice(0, redactedUser.length - place.length - 1) + redactedLink.slice(end)
    : redactedLink
}
