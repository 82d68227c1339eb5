import { namesNear } from '../people/names-near-contacts.ts'
import { classOfIpv4, classOfIpv6 } from '../checksums.ts'
import { isInternalHost, isReservedHost, isTopLevel } from './domains.ts'
import { isNamedByWords } from '../expressions.ts'
import { COMMON_USERS } from '../lexicon.ts'
import { familyNameRank, givenNameRank, isOrdinaryWord } from '../people/names.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { isEvidentPassword } from '../secrets/secret-values.ts'
import { lineEnd, lineStart } from '../lines.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Mail addresses, users at hosts, IP addresses, home folders, listings of files. */

const LOCAL = /[\p{L}\p{N}!#$%&'*+/=?^_`{|}~.-]/u
const DOMAIN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:[\p{L}][\p{L}\p{N}-]{1,24})/uy
const HOST = /[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9-]{1,63}){0,6}/y
const NO_REPLY = /^(?:no[-_.]?reply|do[-_.]?not[-_.]?reply|notifications?|bounces?|mailer-daemon|git|svn|hg|noreply.*|.*\+noreply)$/i
const SHELL = /^(?::[^\s:$#%]{0,200}[$#%] ?| [^\s\]]{1,120}\][$#%]|:~|[$#%] | [~/][^\s$#%]{0,120} ?[$#%❯] )/
const EXTENSION =
  /^(?:js|ts|tsx|jsx|mjs|cjs|json|png|jpe?g|gif|svg|webp|css|scss|html?|vue|py|rb|rs|go|java|kt|php|c|h|cpp|cs|yml|yaml|toml|lock|txt|log|csv|xml|pdf|zip|gz|tgz|tar|exe|dll|so|wasm|map|min|service|socket|target|timer|mount|slice|conf|cfg|ini|bak|tmp|md)$/i

/** The user in `user:password@host` without a scheme. */
const BEFORE_COLON = /(?:^|[\s"'=(])([A-Za-z][\w.-]{1,39}):$/
export function addressAt(text: string, at: number, report: Report): void {
  let start = at
  while (start > 0 && at - start < 64 && LOCAL.test(text[start - 1]!)) start -= 1
  if (at - start === 64 && /[A-Za-z0-9]/.test(text[start - 1] ?? ' ')) return // longer than any local part, so a key before a host
  while (start < at && /[^\p{L}\p{N}_+]/u.test(text[start]!)) start += 1
  if (start === at) return
  // "a=jane@x.org", "/user/jane@x.org": the text before the last of these characters is not part of the address
  const whole = text.slice(start, at)
  const cut = Math.max(
    whole.lastIndexOf('='),
    whole.lastIndexOf('/'),
    whole.lastIndexOf('|'),
    whole.lastIndexOf('`'),
    whole.lastIndexOf("'"),
    whole.lastIndexOf('{'),
    whole.lastIndexOf('&'),
    whole.lastIndexOf('?'),
  )
  if (cut >= 0) start += cut + 1
  if (text[start] === '+' && start + 1 < at) start += 1
  if (start >= at || text[at - 1] === '.' || text[at - 1] === '/') return
  if (text.slice(start - 3, start) === '://') return // URL credentials have their own detector
  const local = text.slice(start, at)
  if (text[start - 1] === ':' && isEvidentPassword(local)) {
    const user = BEFORE_COLON.exec(text.slice(Math.max(0, start - 42), start))?.[1]
    if (user !== undefined && !/^(?:mailto|https?|urn|acct|sips?|xmpp|tel|data|file|git|ssh|jdbc|npm|from|to|cc)$/i.test(user)) {
      report('password', 'user:password@', start, at, 0.8)
      if (isUser(user)) report('username', 'user:password@', start - 1 - user.length, start - 1, 0.7)
      return
    }
  }
  const domain = matchAt(DOMAIN, text, at + 1)?.[0].replace(/\.(?:and|or|the|und|et|y|e|o|ou|oder)$/i, '')
  const after = at + 1 + (domain?.length ?? 0)
  if (domain !== undefined && isTopLevel(domain.split('.').at(-1)!) && !/[\w@]/.test(text[after] ?? '')) {
    const last = domain.split('.').at(-1)!
    if (
      isReservedHost(domain) ||
      NO_REPLY.test(local) ||
      /(?:^|\.)(?:noreply|no-reply|users\.noreply)\./i.test(domain) ||
      (local.length > 2 ? isPlaceholder(local) : local.length === 1 && domain.indexOf('.') < 3)
    )
      return
    if (
      /^\d+x$/.test(domain.split('.')[0]!) ||
      (EXTENSION.test(last) && !/^(?:so|md|py|rs|zip|cs|pl)$/i.test(last)) ||
      /^\d+(?:\.\d+)*$/.test(local)
    )
      return
    const isRemote =
      SHELL.test(text.slice(after, after + 240)) || /^:(?:[~/\w])/.test(text.slice(after, after + 3)) || isInternalHost(domain)
    const isSsh = /\b(?:ssh|scp|rsync|sftp|mosh|ssh-copy-id)\s[^\n|;&]{0,120}$/.test(text.slice(Math.max(0, start - 140), start))
    if ((isRemote || isSsh) && !/:\d+$/.test(local)) {
      if (!COMMON_USERS.has(local.toLowerCase())) report('username', 'user@host', start, at, 0.7)
      if (isInternalHost(domain) || !/^(?:git)?(?:hub|lab)|^bitbucket|^ssh\.dev/.test(domain))
        report('hostname', 'user@host', at + 1, after, 0.75)
      return
    }
    if (text[start - 1] === ':' && text[start - 2] !== ' ' && /\/\/[^\s/@]*$/.test(text.slice(Math.max(0, start - 100), start))) return // URL credentials have their own detector
    report('email', 'email', start, after, 0.95, true)
    namesNear(text, start, at, after, report)
    return
  }
  const host = matchAt(HOST, text, at + 1)?.[0]
  if (host === undefined || host === 'localhost' || /^\d+(?:\.\d+)*$/.test(host)) {
    if (host !== undefined && classOfIpv4(host.split('.').map(Number)) !== null && isUser(local) && /^[a-z]/i.test(local))
      report('username', 'user@host', start, at, 0.7)
    return
  }
  const end = at + 1 + host.length
  if (!/^[a-z_][\w.-]{0,31}$/i.test(local)) return
  const before = text.slice(Math.max(0, start - 140), start)
  const isPrompt = SHELL.test(text.slice(end, end + 240)) && /(?:^|[\n\r([ ])$/.test(before)
  const ssh =
    KEY_OF.test(text.slice(end, end + 14)) ||
    /\b(?:ssh|scp|rsync|sftp|mosh|ssh-copy-id)\s[^\n|;&]{0,120}$/.test(before) ||
    /\b(?:ssh-(?:rsa|ed25519|dss)|ecdsa-sha2-\S+) [A-Za-z0-9+/=]{30,}\s$/.test(text.slice(Math.max(0, start - 900), start))
  if (!isPrompt && !ssh) return
  if (isUser(local)) report('username', isPrompt ? 'prompt' : 'ssh', start, at, 0.85)
  if (isHost(host)) report('hostname', isPrompt ? 'prompt' : 'ssh', at + 1, end, 0.8)
}

const KEY_OF = /^ \((?:RSA|ED25519|ECDSA|DSA)(?:-SK)?\)/
const CALENDAR = /^(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)$/i
export const isUser = (name: string) =>
  name.length >= 2 &&
  name.length <= 40 &&
  !COMMON_USERS.has(name.toLowerCase()) &&
  !isPlaceholder(name) &&
  !/^[0-9a-f]{12,}$/.test(name) &&
  !(name.length === 3 && CALENDAR.test(name))

const GENERIC_HOST =
  /^(?:localhost|host|server|hostname|example|test|runner|runnervm\w*|ubuntu|debian|docker|container|buildkitsandbox|sandbox|codespaces?-?\w*|gitpod|vagrant|raspberrypi|dev|prod|staging|db|database|redis|postgres|mysql|mongo|api|web|app|cache|queue|rabbitmq|kafka|minio|nginx|proxy|master|node|worker|bastion|local|remote|home|machine|computer|pc|laptop|name|string|none|null|undefined|true|false|broadcasthost|ip6-\w+|[0-9a-f]{12})$/i

export const isHost = (host: string) => host.length >= 3 && !GENERIC_HOST.test(host) && !isReservedHost(host) && !isPlaceholder(host)

const IPV4 = /\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/y
const IPV6 = /(?:[0-9a-f]{1,4}:){1,7}(?::|[0-9a-f]{1,4})(?:[0-9a-f:]{0,40})(?:\.\d{1,3}\.\d{1,3}\.\d{1,3})?/iy
/** Public DNS resolvers. */
const PUBLIC_RESOLVERS = new Set(
  '8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 208.67.220.220 4.4.4.4 1.2.3.4 123.45.67.89'.split(' '),
)

/** Reports the IPv4 address that begins here, unless it is a version number. Returns its end, or null. */
export function ipv4At(text: string, at: number, report: Report): number | null {
  const match = matchAt(IPV4, text, at)
  if (match === null) return null
  const octets = match[0].split('.')
  if (octets.some((octet) => octet.length > 1 && octet.startsWith('0'))) return null
  const kind = classOfIpv4(octets.map(Number))
  const end = at + match[0].length
  if (kind === null) return null
  if (kind === 'reserved' || PUBLIC_RESOLVERS.has(match[0]) || new Set(octets).size === 1) return end
  const before = text.slice(Math.max(0, at - 40), at)
  const after = text[end] ?? ''
  // object identifiers; names of reverse look-ups
  if (/^(?:1\.3\.(?:6|14|36|101|132)|2\.5\.(?:4|8|29))\./.test(match[0]) || text.startsWith('.in-addr', end)) return end
  if (/[\w-]/.test(after) && !/^-\d/.test(text.slice(end, end + 2))) return end
  if (
    /(?:[a-z_]\/|[a-z]-|@|==|>=|<=|~=|\^|~|\bv|\boid\s|[vV]ersion["']?\s*[:=]?\s*["']?(?:is\s)?|\brelease\s|\b(?:driver|firmware|bios|microcode|dll|runtime|openssl|chipset)\s|\bbuild\s|\bVer\.?\s|\bFileVersion.{0,4}|\bsection\s|§\s?|\brev\.?\s)$/i.test(
      before,
    ) &&
    !/:\/\/$|https?:\/\/[^\s/]*@$|\bfrom=?\s?$|\b(?:ssh|scp|rsync|sftp|mosh|ssh-copy-id)\s[^\n|;&]*@$/i.test(before)
  )
    return end
  if (isVersionInList(text, at, end)) return end
  if (kind === 'private') report('ip_address', 'private ipv4', at, end, 0.3, true)
  else report('ip_address', 'ipv4', at, end, octets.every((octet) => Number(octet) < 10) ? 0.45 : 0.85, true)
  return end
}

/** Whether a line is a name and a version (`lodash  4.17.21.1`), next to a similar line whose version is no address. */
function isVersionInList(text: string, at: number, end: number): boolean {
  const from = lineStart(text, at, 100)
  const to = lineEnd(text, end, 60)
  if (!/^[\s│├└─+|`-]{0,20}[@A-Za-z][\w@/.-]{1,60}[ \t]{1,30}$/.test(text.slice(from, at)) || !/^[ \t]*\r?$/.test(text.slice(end, to)))
    return false
  const above = text.slice(lineStart(text, from - 1, 100), Math.max(0, from - 1))
  const below = text.slice(to + 1, lineEnd(text, to + 1, 100))
  return LISTED.test(above) || LISTED.test(below)
}
const LISTED = /^[\s│├└─+|`-]{0,20}[@A-Za-z][\w@/.-]{1,60}[ \t]{1,30}v?\d{1,5}\.\d{1,5}(?:\.\d{1,8})?(?:[-+a-z][\w.+-]{0,30})?[ \t]*\r?$/

export function ipv6At(text: string, at: number, report: Report): number | null {
  const match = matchAt(IPV6, text, at)
  if (match === null) return null
  let value = match[0]
  if (value.endsWith(':') && !value.endsWith('::')) value = value.slice(0, -1)
  if (/[\w]/.test(text[at + value.length] ?? '')) return null
  const kind = classOfIpv6(value)
  if (kind === null) return null
  if (kind === 'private') report('ip_address', 'private ipv6', at, at + value.length, 0.3, true)
  else if (kind === 'public' && value.split(':').filter((group) => group !== '').length >= 3)
    report('ip_address', 'ipv6', at, at + value.length, 0.9, true)
  return at + value.length
}

const FOLDER = /(?:[\\/]+|-)([\p{L}\p{N}_](?:[\p{L}\p{N}._@+~-]|%20){0,40}?)(?=[\\/"'`:;,)\]}>|\s]|\.(?:\s|$)|$)/uy
/** A name of several words, up to the next folder or the end of a quotation. */
const SPACED_FOLDER =
  /[\\/]+(\p{L}[\p{L}\p{N}._'’-]{0,30}(?:(?:\\? |%20)[\p{L}\p{N}(][\p{L}\p{N}._'’()-]{0,30}){1,3})(?=[\\/"'`>]|[ \t]*(?:\r?\n|$))/uy
const SENTENCE_WORD = /(?: |%20)(?:and|or|is|in|to|the|with|from|as|at|on|for|are|was|not|into|then|but|via|und|oder|et|ou|y|o)(?= |%20|$)/i
/** Client folders have a hyphen for every sign of a path: `-Users-name-project`, `C--Users-name`. */
const SLUG = /-([a-z][a-z0-9_.]{1,30})(?=-)/iy
/** Folders that home folders are in, in the same form: `-mnt-c-Users-name`. */
const BEFORE_SLUG =
  /(?:^|[\\/\s"'`=(:])-(?:mnt-[a-z]|private|var|export|data|media|net|nfs|usr|cygdrive-[a-z]|[a-z]|Volumes-[A-Za-z]{1,20}|System-Volumes-Data)-$/
const LAST_SLUG = /-([a-z][a-z0-9_.]{1,30})(?=[\\/\s"'`:;,)\]}>]|$)/iy
const NEXT_SLUG = /-([A-Za-z]{2,30})(?=[-\\/\s"'`:;,)\]}>]|$)/y
/** Folders in a home folder that begin with a capital. */
const OWN_FOLDER =
  /^(?:Documents?|Desktop|Downloads?|Projects?|Projekte|Code|Coding|Dev|Developer|Development|Library|OneDrive|Repos?|Repositor(?:y|ies)|Sources?|Src|Work|Workspaces?|GitHub|GitLab|Git|AppData|Dropbox|Sites|Applications|Movies|Music|Pictures|Public|Videos|Programming|My|App|Apps|Web|Personal|Private|Scripts|Tools|Tmp|Temp)$/

/** The folder of a user after `home` or `Users`, whose end is at `end`. */
function folderAt(text: string, start: number, end: number): { from: number; name: string } | null {
  const spaced = matchAt(SPACED_FOLDER, text, end)
  if (spaced !== null && isNameOfFolder(text, start, spaced[1]!, text[end + spaced[0].length]))
    return { from: end + spaced[0].length - spaced[1]!.length, name: spaced[1]! }
  const match = matchAt(FOLDER, text, end)
  return match === null ? null : { from: end + match[0].length - match[1]!.length, name: match[1]! }
}

/** Whether words with spaces are one name, and not a name and a sentence or further arguments. */
function isNameOfFolder(text: string, start: number, name: string, next: string | undefined): boolean {
  if (SENTENCE_WORD.test(name) || /\.\w{1,4}$/.test(name)) return false
  if (name.split(/\\? |%20/).every((word) => /^[\p{Lu}(]/u.test(word)) || /%20|\\/.test(name)) return true
  return isQuotedPath(text, start) || (next === '\\' && /[A-Za-z]:[\\/]+$/.test(text.slice(Math.max(0, start - 5), start)))
}
const isQuotedPath = (text: string, start: number) => /["'`][^\s"'`]{0,60}$/.test(text.slice(Math.max(0, start - 62), start))

/** Reports the folder name after `home` or `Users`. */
export function homeFolder(text: string, start: number, end: number, report: Report): void {
  const before = text[start - 1] ?? ''
  const next = text[end] ?? ''
  if ((before === '/' || before === '\\') && (next === '/' || next === '\\')) {
    if (
      before === '/' &&
      /[\w)\]}]$/.test(text.slice(Math.max(0, start - 2), start - 1)) &&
      !/(?:\/(?:var|export|mnt|net|nfs|data|host|rootfs|[a-z]|mnt\/[a-z]|System\/Volumes\/Data|usr)|[A-Za-z]:|file:\/\/|wsl[$.\w]*\/[^/]+)$/i.test(
        text.slice(Math.max(0, start - 30), start - 1),
      )
    )
      return
    const folder = folderAt(text, start, end)
    if (folder === null) return
    const { from, name } = folder
    if (EXTENSION.test(name.split('.').slice(1).at(-1) ?? '') && text[from + name.length] !== next) return // a file
    // `/users/sign_in` is an address of an application; the folder is written `/Users`
    if (
      text[start] === 'u' &&
      before === '/' &&
      (isOrdinaryWord(name) || isNamedByWords(name)) &&
      !/[A-Za-z]:$|\/[a-z]$/.test(text.slice(Math.max(0, start - 3), start - 1))
    )
      return
    if (isUser(name.replace(/[.-]+$/, '')) && !name.startsWith('.'))
      report('username', 'home folder', from, from + name.replace(/[.]+$/, '').length, 0.9)
  } else if (
    before === '-' &&
    next === '-' &&
    (!/[A-Za-z0-9]/.test(text[start - 2] ?? ' ') || BEFORE_SLUG.test(text.slice(Math.max(0, start - 40), start)))
  ) {
    const isFolder = /[\\/]$|[\\/][A-Za-z]-$/.test(text.slice(Math.max(0, start - 4), start - 1))
    const name = (matchAt(SLUG, text, end) ?? (isFolder ? matchAt(LAST_SLUG, text, end) : null))?.[1]
    if (name !== undefined && isUser(name)) report('username', 'project folder', end + 1, endOfSlug(text, end + 1, name), 0.7)
  }
}

/** The end of a name whose words are joined by hyphens: `-Users-Ada-Lovelace-project`. */
function endOfSlug(text: string, start: number, first: string): number {
  let end = start + first.length
  const isCapital = /^[A-Z][a-z]/.test(first)
  for (let count = 0; count < 3; count += 1) {
    const word = matchAt(NEXT_SLUG, text, end)?.[1]
    if (
      word === undefined ||
      OWN_FOLDER.test(word) ||
      !(isCapital ? /^[A-Z][a-z]/.test(word) : givenNameRank(first) === 2 && familyNameRank(word) === 2)
    )
      break
    end += 1 + word.length
  }
  return end
}

/** `Documents and Settings` of older Windows, whose last word is from `start` to `end`. */
export function settingsFolder(text: string, start: number, end: number, report: Report): void {
  if (!/[\\/]documents and $/i.test(text.slice(Math.max(0, start - 15), start))) return
  const folder = folderAt(text, start - 14, end)
  if (folder !== null && isUser(folder.name)) report('username', 'home folder', folder.from, folder.from + folder.name.length, 0.9)
}

const LISTING = /[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d+\s+(\S{1,32})\s+(\S{1,32})\s+\d/y
/** Reports owner and group in the output of `ls -l`. */
export function listingAt(text: string, at: number, report: Report): void {
  const match = matchAt(LISTING, text, at)
  if (match === null) return
  const owner = at + match[0].indexOf(match[1]!, 11)
  if (/^[a-z_]/i.test(match[1]!) && isUser(match[1]!)) report('username', 'listing', owner, owner + match[1]!.length, 0.85)
  const group = at + match[0].lastIndexOf(match[2]!)
  if (/^[a-z_]/i.test(match[2]!) && isUser(match[2]!)) report('username', 'listing', group, group + match[2]!.length, 0.7)
}

/** Whether a name in code only ends like an internal host: `node.imports.internal`, `org.eclipse.internal`. */
const isMemberOfObject = (host: string, before: string) =>
  (/\b(?:from|import|package|using|require) $/.test(before) && /^[a-z_.]+$/.test(host)) ||
  /^(?:org|com|net|io|java|javax|sun|scala|kotlin|this|self|cls)\./.test(host) ||
  /^(?:\w*[a-z][A-Z]\w*\.|[A-Z][a-z]+\.[a-z])/.test(host) ||
  (/\.(?:box|local|internal|private|intern)$/.test(host) &&
    !/["'\x60@/:]$/.test(before) &&
    /^[a-z]+(?:\.[a-z]+)+$/.test(host) &&
    host.split('.').every((label) => CODE_WORDS.has(label) || isOrdinaryWord(label) || label.length < 3) &&
    !host
      .split('.')
      .slice(0, -1)
      .some((label) => ROLE_OF_MACHINE.test(label)))
const CODE_WORDS = new Set(['box', 'imports', 'node', 'plot', 'path', 'file', 'lower', 'upper', 'version', 'series', 'implementations'])
const ROLE_OF_MACHINE =
  /^(?:db|sql|srv|svr|vpn|gw|dc|ns|mx|nas|ldap|mail|smtp|imap|git|gitlab|ci|jenkins|vault|registry|proxy|api|www|web|app|auth|sso|k8s|kube|prod|staging|stage|dev|test|qa|redis|cache|pg|postgres|mysql|mongo|kafka|es|elastic|grafana|prometheus|wiki|jira|nexus|artifactory|ftp|backup|monitor|corp|office|lan|home|svc|cluster|consul|service|services|intra|intranet|internal)$/
/** The domain after `intra`: two or three labels. */
const OWN_DOMAIN = /^(?:\.[a-z0-9-]{2,63}){1,2}\.[a-z]{2,10}(?![\w-]|\.\w)/i
const NAME_BEFORE = /(?:[a-z0-9][a-z0-9-]{0,61}\.){1,6}$/i
/** Reports an internal host without a label or URL, such as `db1.acme.internal`. Its last word is from `start` to `end`. */
export function internalName(text: string, start: number, end: number, report: Report): void {
  const domain = text[end] === '.' ? OWN_DOMAIN.exec(text.slice(end, end + 70))?.[0] : undefined
  if (domain !== undefined && text[start - 1] === '.') end += domain.length
  const behind = text[end] ?? ' '
  if (text[start - 1] !== '.' || /[\w(-]/.test(behind) || (behind === '.' && !/[\s"'`)\\]|^$/.test(text[end + 1] ?? ''))) return
  const name = NAME_BEFORE.exec(text.slice(Math.max(0, start - 160), start))?.[0]
  if (name === undefined) return
  const from = start - name.length
  const host = text.slice(from, end)
  const isShare = text[from - 1] === '/' && text[from - 2] === '/' && !/[\w:]/.test(text[from - 3] ?? ' ')
  if ((/[\w./@\\$-]/.test(text[from - 1] ?? ' ') && !isShare) || !isInternalHost(host) || !isHost(host)) return
  const labels = host.split('.')
  if (labels.length < 3 && !/[-\d]/.test(labels[0]!)) return
  if (isMemberOfObject(host, text.slice(Math.max(0, from - 8), from))) return
  report('hostname', 'internal name', from, end, 0.65)
}
