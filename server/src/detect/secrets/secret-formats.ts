import { isUser } from '../machines/hosts.ts'
import { keyTailAt } from './key-remains.ts'
import { lineEnd, lineStart } from '../lines.ts'
import { entropyOf, isPlaceholder } from './placeholders.ts'
import { isEvidentPassword, looksLikePassword, looksLikeSecret } from './secret-values.ts'
import { providerKeyAt } from './provider-keys.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Key blocks, tokens, headers and flags that contain secrets. */

const PEM = /-----BEGIN ((?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?)-----/y
/** A PEM block; a truncated block ends with its body. */
export function pemAt(text: string, at: number, report: Report): number | null {
  const match = matchAt(PEM, text, at)
  if (match === null) return keyTailAt(text, at, report)
  const prefixed = prefixedPemEnd(text, at, match[1]!)
  if (prefixed !== null) {
    report('private_key', 'pem', at, prefixed, 0.98, true)
    return prefixed
  }
  const from = at + match[0].length
  const close = `-----END ${match[1]}-----`
  const found = text.indexOf(close, from)
  const limit = Math.min(text.length, from + 20_000)
  let body = from
  while (body < limit && /[A-Za-z0-9+/=\s:,.>|"'\\-]/.test(text[body]!) && !(text[body] === '-' && text.startsWith('-----', body)))
    body += 1
  const end = found >= 0 && found <= body + 40 ? found + close.length : body
  const base64 = text.slice(from, end).replaceAll(/[^A-Za-z0-9+/]/g, '')
  if (base64.length < 30 || /^(?:x+|\.+|YOUR|EXAMPLE)/i.test(base64) || new Set(base64).size < 8) return null
  // in a string, the last newline is part of the key
  const last = trimmedEnd(text, from, end)
  report('private_key', 'pem', at, text[last] === '\n' && /["']/.test(text[last + 1] ?? '') ? last + 1 : last, 0.98, true)
  return end
}

const BODY = /[ \t]*[A-Za-z0-9+/=]{0,100}[ \t\r]*$|[ \t]*(?:[A-Z][\w-]{1,20}: [^\n]{1,200}|-----END )/my
const MAX_KEY_LINES = 400
/** The end of a block whose lines all have what precedes the first one, such as a name and a time; null if they have not. */
function prefixedPemEnd(text: string, at: number, name: string): number | null {
  const first = text.slice(lineStart(text, at, 200), at)
  if (first.trim() === '' || first.length >= 200) return null
  const prefix = new RegExp(
    first
      .trimEnd()
      .split(/(\d+|\s+)/)
      .map((part) => (/^\d/.test(part) ? '\\d{1,20}' : /^\s/.test(part) ? '\\s{1,20}' : part.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')))
      .join('')
      .replace(/^\\s\{1,20\}/, '\\s{0,20}'),
    'y',
  )
  let end: number | null = null
  let from = lineEnd(text, at, 1000) + 1
  for (let count = 0; count < MAX_KEY_LINES && from < text.length; count += 1) {
    const lead = matchAt(prefix, text, from)
    const body = lead === null ? null : matchAt(BODY, text, from + lead[0].length)
    if (body === null) break
    const until = from + lead![0].length + body[0].length
    if (body[0].endsWith('-----END ')) return text.startsWith(`${name}-----`, until) ? until + name.length + 5 : end
    if (body[0].trim() !== '') end = until
    from = lineEnd(text, from, 1000) + 1
  }
  return end
}

function trimmedEnd(text: string, from: number, end: number): number {
  let last = end
  while (last > from && /[\s"'\\,|>]/.test(text[last - 1]!)) last -= 1
  return last
}

const JWT =
  /eyJ[A-Za-z0-9_-]{8,4000}\.(?:eyJ)?[A-Za-z0-9_-]{2,16000}\.[A-Za-z0-9_-]{0,2000}(?:\.[A-Za-z0-9_-]{4,4000}\.[A-Za-z0-9_-]{4,400})?/y
export function jwtAt(text: string, at: number, report: Report): number | null {
  const match = matchAt(JWT, text, at)
  if (match === null) return null
  const token = match[0].replace(/\.$/, '')
  const [header, , signature] = token.split('.')
  try {
    const decoded: unknown = JSON.parse(Buffer.from(header!, 'base64url').toString('utf8'))
    if (typeof decoded !== 'object' || decoded === null || !('alg' in decoded || 'typ' in decoded || 'enc' in decoded)) return null
  } catch {
    return null
  }
  if (signature !== undefined && /^(?:signature|xxx+|\.\.\.)$/i.test(signature)) return at + token.length
  report('auth_token', 'jwt', at, at + token.length, 0.97, true)
  return at + token.length
}

const BEARER = /[ \t]+([A-Za-z0-9_\-.~+/=:|]{16,4096})/y
/** The credential after the word `Bearer`, `Basic`, `Token` or `ApiKey` in a header. */
export function schemeAt(text: string, word: string, end: number, report: Report): void {
  const match = matchAt(BEARER, text, end)
  if (match === null) return
  const value = match[1]!.replace(/[.:]+$/, '')
  const start = end + match[0].length - match[1]!.length
  if (isPlaceholder(value)) return
  if (word === 'basic') {
    const decoded = Buffer.from(value, 'base64').toString('utf8')
    if (
      !/^[\x20-\x7E]{1,128}:[\x20-\x7E]{1,256}$/.test(decoded) ||
      /^(?:user(?:name)?|admin|test|Aladdin):(?:pass(?:word)?|test|open sesame|admin)$/i.test(decoded)
    )
      return
    report('auth_token', 'basic', start, start + value.length, 0.9, true)
    return
  }
  const isHeader = /(?:authorization|proxy-authorization|x-auth[\w-]*)["']?\s*[:=,]\s*[fbru$@]?["'`]?\s*$/i.test(
    text.slice(Math.max(0, end - word.length - 60), end - word.length),
  )
  if (word !== 'bearer' && !isHeader) return
  if (looksLikeSecret(value, { quoted: false, uuid: true, least: 16 }) || (/\d/.test(value) && entropyOf(value) > 3.2))
    report('auth_token', word, start, start + value.length, 0.9)
}

const COOKIE_PAIR = /([!#$%&'*+.^`|~\w-]{1,80})=([^;\s"'<>\\,]{4,4096})/g
const SESSION =
  /sess|sid$|^sid|auth|token|jwt|csrf|xsrf|login|remember|connect\.sid|phpsessid|jsessionid|asp\.net|\.aspx|identity|secure|user|account|^__host|_ga_secret|cf_clearance|^__cf_bm|^_gh_|sso|saml|oauth|access|refresh|laravel|wordpress_/i
/** The pairs of a Cookie or Set-Cookie header whose value begins at `from`. */
export function cookiesAt(text: string, from: number, report: Report): void {
  const value = text.slice(from, lineEnd(text, from, 8000)).split('ookie:', 1)[0]!
  for (const match of value.matchAll(COOKIE_PAIR)) {
    const [, name, content] = match as unknown as [string, string, string]
    if (/^(?:path|domain|expires|max-age|samesite|httponly|secure|version|priority)$/i.test(name) || isPlaceholder(content)) continue
    const isRandom = content.length >= 16 && /[0-9]/.test(content) && entropyOf(decodeSafely(content)) >= 3
    if (!isRandom || (!SESSION.test(name) && content.length < 24)) continue
    const start = from + match.index + name.length + 1
    report('auth_token', 'cookie', start, start + content.length, 0.85)
  }
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const FLAG = /--?([a-z][a-z0-9-]*)(?:[ \t]+|=)(["']?)([^\s"'`;|&<>]{3,300}|(?<=")[^"\n]{3,200}|(?<=')[^'\n]{3,200})\2/iy
/** `-p secret`, `-psecret`, `-u user:secret`, for tools with such options. The dash is at `at`. */
export function shortFlagAt(text: string, at: number, report: Report): void {
  const letter = text[at + 1]
  const line = text.slice(lineStart(text, at, 300), at)
  let takesPassword = true
  if (letter === 'p') {
    if (/\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli)\b[^|;&\n]*$/.test(line)) {
      const match = /^-p(["']?)([^\s"'`;|&]{4,100})\1/.exec(text.slice(at, at + 120))
      if (match !== null && !/^-p(?:ort|rotocol|\d{1,5}$)/.test(match[0]) && looksLikePassword(match[2]!, { quoted: false, firm: true })) {
        const start = at + 2 + match[1]!.length
        report('password', '-p', start, start + match[2]!.length, 0.85)
      }
      return
    }
    if (
      !/\b(?:sshpass|docker\s+login|podman\s+login|helm\s+registry\s+login|az\s+login|mongo(?:sh|dump|restore|import|export)?|ldapsearch|sqlcmd|htpasswd|7z|unzip|oc\s+login|redis-cli|cqlsh|influx|skopeo\s+login|login|clickhouse-client|sqlplus|kinit|expect|passwd|vncpasswd|curl|wget|doveadm|twine\s+upload|security|steghide|certutil|unrar|rar|mosquitto_passwd|rabbitmqadmin|cf\s+login|smbpasswd|mongoexport|keepassxc-cli|cassandra-stress|mqttx?)\b[^|;&\n]*$/i.test(
        line,
      )
    )
      takesPassword = false
  } else if (letter === 'a') {
    if (/(?:^|[\s$])(?:https?|xh|xhs)\s[^|;&\n]*$/.test(line)) return userFlagAt(text, at, report)
    if (!/\bredis-cli\b[^|;&\n]*$/.test(line)) return
  } else if (letter === 'P') {
    if (!/\b(?:sqlcmd|bcp|unzip|zip|ftp|mosquitto_\w+|ipmitool|ipmi-\w+)\b[^|;&\n]*$/.test(line)) takesPassword = false
  } else if (letter === 'w') {
    if (!/\bldap\w+\b[^|;&\n]*$/.test(line)) takesPassword = false
  } else if (letter === 'b') {
    const pair = /\bcurl\b[^|;\n]*$/.test(line) ? /^-b[ =]?["']?(?=[^\s"'=;]{1,80}=)/.exec(text.slice(at, at + 100)) : null
    if (pair !== null) cookiesAt(text, at + pair[0].length, report)
    return
  } else if (letter === 'u') {
    if (/\b(?:curl|http|https|wget|xh|httpie|ab|smbclient)\b[^|;\n]*$/.test(line)) userFlagAt(text, at, report)
    return
  } else return
  const match = matchAt(FLAG, text, at)
  if (match === null || match[1]!.length !== 1) {
    const glued = /^-[pa](["']?)([^\s"'`;|&-][^\s"'`;|&]{3,100})\1/.exec(text.slice(at, at + 120))
    if (glued !== null && /\bsshpass|7z\b/.test(line) && looksLikePassword(glued[2]!, { quoted: false, firm: true }))
      report('password', '-p', at + 2 + glued[1]!.length, at + 2 + glued[1]!.length + glued[2]!.length, 0.85)
    return
  }
  const value = match[3]!
  if (!takesPassword && (!isEvidentPassword(value) || NO_PASSWORD_FLAG.test(line))) return
  if (
    !looksLikePassword(value, { quoted: match[2] !== '', firm: true }) ||
    /^\d{1,5}(?::\d+)?$/.test(value) ||
    /^(?:[./]|~[/\\])/.test(value)
  )
    return
  const start = at + match[0].length - value.length - match[2]!.length
  report('password', '-p', start, start + value.length, takesPassword ? 0.8 : 0.65)
  const user = USER_FLAG.exec(line)
  if (user === null || !isUser(user[1]!)) return
  const from = at - line.length + user.index + user[0].lastIndexOf(user[1]!)
  report('username', '-u', from, from + user[1]!.length, 0.7)
}
/** Commands whose `-p` means a patch, a port, a path or a process. */
const NO_PASSWORD_FLAG =
  /(?:^|[\s;&|$(])(?:git|hg|svn|patch|diff|mkdir|cp|mv|tar|ssh|scp|sftp|nc|nmap|lsof|ps|pgrep|kill|docker|podman|npm|npx|pnpm|yarn|node|deno|bun|python\d?|pytest|ruby|perl|jq|grep|make|cargo|go|tsc|ls|install|rsync|sed|xargs|time|read|declare|type|netstat|ss)\s[^|;&\n]*$/
const USER_FLAG = /\s(?:-[uU]|--user(?:name)?)[ =]["']?(?!-)([\w.-]{2,40})["']?\s(?:[^|;&\n]*\s)?$/

/** `-u user:secret`, `-a user:secret`. */
function userFlagAt(text: string, at: number, report: Report): void {
  const pair = /^-[ua][ \t]*(["']?)([^\s"':@/]{1,64}):([^\s"'`;|&]{3,200})\1/.exec(text.slice(at, at + 280))
  if (pair === null || !looksLikePassword(pair[3]!, { quoted: false, firm: true })) return
  const start = at + pair[0].lastIndexOf(`:${pair[3]}`) + 1
  const user = at + pair[0].indexOf(`${pair[2]!}:`)
  if (isUser(pair[2]!)) report('username', '-u', user, user + pair[2]!.length, 0.75)
  if (providerKeyAt(text, start) === null) report('password', '-u', start, start + pair[3]!.length, 0.9)
}
