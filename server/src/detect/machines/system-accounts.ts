import { isHost, isUser } from './hosts.ts'
import { lineEnd, lineStart } from '../lines.ts'
import { familyNameRank, givenNameRank, isGivenName, isOrdinaryWord, nameLikeness } from '../people/names.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Accounts and hosts in formats of Windows, directories, password files, clouds and web servers. */

const DOMAIN = /(?:^|[^\\/\w:.$%-])([A-Za-z][A-Za-z0-9-]{1,14})$/
const ACCOUNT = /\\([A-Za-z][\w.-]{1,30}\$?)(?![\w\\/(*+{[.-])/y
/** Registry roots, well-known principals, folders. */
const NO_DOMAIN =
  /^(?:HK(?:LM|CU|CR|U|CC|EY\w*)|NT|BUILTIN|AUTHORITY|SERVICE|IIS|APPPOOL|MSSQL|NULL|WINDOWS|SYSTEM32|SOFTWARE|SYSTEM|APPX|FONT|WORKGROUP|[A-Z]|USERS?|DOMAIN|MYDOMAIN|YOURDOMAIN|CN|OU|DC|COMPUTER|MACHINE|SERVER|HOST|PIPE|UNC)$/i
const NO_ACCOUNT =
  /^(?:system|network|local|users?|administrators?|everyone|interactive|service|services|guests?|username|name|account|src|lib|bin|app|test|tests|temp|tmp|docs|n|r|t|d|w|s|b|u|x|domain|computers?)\$?$/i
const ACCOUNT_HINTS =
  /(?:\bwhoami\b|\blogged o[nf]|\blog(?:ged)? in|\bsigned in|\buser(?:name)?\b|\baccount\b|\brunas\b|\bowner\b|\bprincipal\b|\bidentity\b|\bcredential|\bnet (?:use|user|localgroup)\b|\bicacls\b|\bauthor\b|\bby\b|\bas\b|\blogin\b|\bSID\b|S-1-5-21|\bkerberos\b|\bNTLM\b|\bdomain\b|\bservice\b)/i

/** `CORP\jroe`, the backslash at `at`. */
export function domainUserAt(text: string, at: number, report: Report): void {
  const name = matchAt(ACCOUNT, text, at)?.[1]
  if (name === undefined || !/[a-z]/i.test(name)) return
  const domain = DOMAIN.exec(text.slice(Math.max(0, at - 17), at))?.[1]
  if (domain === undefined || NO_DOMAIN.test(domain) || NO_ACCOUNT.test(name) || !isUser(name)) return
  const isUpper = /^[A-Z][A-Z0-9-]{2,}$/.test(domain)
  const line = text.slice(lineStart(text, at, 160), lineEnd(text, at, 160))
  const alone = /^\s*[A-Za-z][\w-]*\\[\w.-]+(?:\s+S-1-5-[\d-]+)?\s*$/.test(line)
  if (
    !(isUpper
      ? ACCOUNT_HINTS.test(line) || alone || /^[A-Z]{2,}[A-Z0-9]*-[A-Z0-9-]+$/.test(domain) || /[._\d-]/.test(name)
      : alone || ACCOUNT_HINTS.test(line))
  )
    return
  if (!isUpper && /^[A-Z][a-z]+$/.test(domain) && /^[A-Z][a-z]+$/.test(name)) return // namespaces
  report('username', 'domain user', at + 1, at + 1 + name.length, isUpper ? 0.8 : 0.65)
  if (/^(?:DESKTOP|LAPTOP|WIN|PC|WS|SRV|NB|CLIENT)-?[A-Z0-9-]{3,}$/.test(domain))
    report('hostname', 'domain user', at - domain.length, at, 0.75)
}

const ENTRY = /(?:^|\n)([a-z_][\w.-]{1,31}):(?:x|\*|!{1,2}|):\d{1,10}:\d{1,10}:([^:\n]{0,120}):[^:\n]{1,100}:[^:\s]{0,60}/y
/** A line of `/etc/passwd`, its first colon at `at`. */
export function passwdAt(text: string, at: number, report: Report): void {
  const from = lineStart(text, at, 40)
  const match = matchAt(ENTRY, text, from > 0 ? from - 1 : from)
  if (match === null) return
  const start = match.index + (match[0].startsWith('\n') ? 1 : 0)
  const uid = Number(/:(\d+):/.exec(match[0])![1])
  if (!isUser(match[1]!) || (uid < 500 && uid !== 0)) return
  report('username', 'passwd', start, start + match[1]!.length, 0.85)
  const name = match[2]!.split(',', 1)[0]!
  const place = start + match[0].trimStart().indexOf(match[2]!, match[1]!.length + 3)
  if (nameLikeness(name).sure > 0 && (nameLikeness(name).given || familyNameRank(name.split(' ').at(-1)!) > 0))
    report('person', 'passwd', place, place + name.length, 0.8)
}

const REQUEST = / \S+ ([A-Za-z][\w.@-]{1,39}) \[\d{2}\/[A-Z][a-z]{2}\/\d{4}:/y
/** `1.2.3.4 - jroe [14/Jun/2025:…`: the user of a request, after the address that ends at `end`. */
export function requestAt(text: string, end: number, report: Report): void {
  const match = matchAt(REQUEST, text, end)
  if (match === null || match[1]!.includes('@') || !isUser(match[1]!)) return
  const at = end + match[0].indexOf(` ${match[1]!} [`) + 1
  report('username', 'access log', at, at + match[1]!.length, 0.85)
}

const NAMED = /[Cc][Nn]=((?:\p{Lu}[\p{L}\p{M}'’.-]+ ?){2,4})(?=,\s?(?:OU|DC|CN|O|ou|dc|cn|o)=)/uy
const UID = /(?:uid|UID|sAMAccountName|samaccountname|userid|USERID)=([A-Za-z][\w.-]{1,39})(?=[,)\s"']|$)/y
/** `CN=Jane Roe,OU=…`, `uid=jroe,ou=…`: an attribute that begins at `start`. */
export function distinguishedAt(text: string, start: number, report: Report): void {
  const name = matchAt(NAMED, text, start)?.[1]
  if (name !== undefined) {
    const first = name.split(' ')[0]!
    const { sure, given, words } = nameLikeness(name)
    if (sure > 0 && words > 1 && (given || givenNameRank(first) >= 0))
      report('person', 'directory', start + 3, start + 3 + name.length, given ? 0.88 : 0.6)
    return
  }
  const match = matchAt(UID, text, start)
  if (match === null || !isUser(match[1]!)) return
  const behind = text.slice(start + match[0].length, start + match[0].length + 5)
  if (!/^,\s?(?:ou|dc|cn|o)=/i.test(behind) && !/^sam/i.test(match[0])) return
  report('username', 'directory', start + match[0].length - match[1]!.length, start + match[0].length, 0.85)
}

const CLOUD = /(?:user|assumed-role\/[\w+=,.@-]{1,64})\/(?:[\w-]+\/)*([A-Za-z][\w.+=,-]{1,63})(?![\w@/*])/y
/** `arn:aws:iam::…:user/jroe`: the word `user` or `assumed-role` at `start`. */
export function arnAt(text: string, start: number, report: Report): void {
  if (text.charCodeAt(start - 1) !== 58 || !/arn:aws[\w-]*:(?:iam|sts)::\d{12}:$/.test(text.slice(Math.max(0, start - 40), start))) return
  const match = matchAt(CLOUD, text, start)
  if (match === null || !isUser(match[1]!) || /^(?:i-[0-9a-f]+|botocore-session.*|AssumeRole.*|\w*session-?\d*)$/i.test(match[1]!)) return
  report('username', 'arn', start + match[0].length - match[1]!.length, start + match[0].length, 0.75)
}

const SIGNED =
  /\b(?:log(?:ging)? in|log(?:in|on)|log on|acting|impersonating|logged in(?:to)?|signed in|authenticated|connected|switched|login succeeded|welcome(?: back)?|active account)(?: to \S{2,60})?(?: successfully)?(?: with)?(?:,? as|,? account|:| user)(?: user)?:? ["'\x60]?([A-Za-z][\w.-]{1,39})["'\x60]?(?=[\s,.!;)(]|$)/iy
const NOBODY =
  /^(?:inactive|active|disabled|enabled|locked|pending|invalid|the|a|an|your|my|user|root|admin|as|to|with|and|in|anonymous|expected|usual|well|is|of|guest|this|that|another|different|someone|it|has|not|no|on|for|successfully|follows|expected|always|needed|required|described|shown|intended|usual|being|well|soon|part|opposed|such)$/i
/** "Logged in to github.com account jroe", "signed in as jroe": the first word is at `start`. */
export function signedInAt(text: string, start: number, report: Report): void {
  const match = matchAt(SIGNED, text, start)
  if (match === null) return
  const name = match[1]!.replace(/[.]$/, '')
  if (
    !isUser(name) ||
    NOBODY.test(name) ||
    (/^[a-z]+$/.test(name) && isOrdinaryWord(name) && !isGivenName(name)) ||
    /\.(?:js|io|org|com|net|py|ts)$/.test(name) ||
    (!/[\d._-]/.test(name) && match[0].includes(': ')) ||
    (!/[\d._-]/.test(name) && /^[A-Z]/.test(name) && givenNameRank(name) < 0)
  )
    return
  const at = start + match[0].lastIndexOf(match[1]!)
  report('username', 'signed in', at, at + name.length, 0.7)
}

const MACHINE = /(?:DESKTOP-[A-Z0-9]{7}|LAPTOP-[A-Z0-9]{8}|WIN-[A-Z0-9]{11})(?![\w-])/y
/** Host names generated by Windows, at `start`. */
export function machineAt(text: string, start: number, report: Report): void {
  const name = matchAt(MACHINE, text, start)?.[0]
  if (name !== undefined && /\d/.test(name) && isHost(name)) report('hostname', 'windows', start, start + name.length, 0.85)
}

const SHADOWED = /(?:^|\n)([a-z_][\w.-]{1,31}):[!*]{1,2}:\d{5}:/y
/** A line of `/etc/shadow` without a password, its first colon at `at`. */
export function shadowAt(text: string, at: number, report: Report): void {
  const from = lineStart(text, at, 40)
  const name = matchAt(SHADOWED, text, from > 0 ? from - 1 : from)?.[1]
  if (
    name !== undefined &&
    isUser(name) &&
    !/^_|daemon|^(?:sshd|rpc|tss|dnsmasq|usbmux|colord|geoclue|gdm|saned|rtkit|cups|whoopsie|kernoops|speech-dispatcher|hplip|pulse|sssd|chrony|unbound|dhcpcd|uuidd|tcpdump|fwupd-refresh|systemd-\w+)$/.test(
      name,
    )
  )
    report('username', 'shadow', at - name.length, at, 0.8)
}

const SHARE = /\\\\([A-Za-z][\w.-]{2,40})\\(?=[A-Za-z$])/y
/** `\\server\share`, its first backslash at `at`. */
export function shareAt(text: string, at: number, report: Report): void {
  if (text.charCodeAt(at - 1) === 92 || /[\w:]/.test(text[at - 1] ?? ' ')) return
  const host = matchAt(SHARE, text, at)?.[1]
  if (host === undefined || !isHost(host) || NO_DOMAIN.test(host) || !(/[-\d]/.test(host) || /^[A-Z]{4,}$/.test(host))) return
  report('hostname', 'share', at + 2, at + 2 + host.length, 0.7)
}
