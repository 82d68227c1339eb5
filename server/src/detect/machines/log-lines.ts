import { isNamedByWords } from '../expressions.ts'
import { isHost, isUser } from './hosts.ts'
import { isMachine } from './machine-names.ts'
import { isGivenName, isOrdinaryWord } from '../people/names.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Users and hosts in system log lines: sshd, syslog, `id`, `uname`. */

const SSHD =
  /(?:Accepted|Failed) [\w/-]+ for (?:invalid user )?(\S{2,32}) from |[Ii]nvalid user (\S{2,32}) from |session (?:opened|closed) for user (\w[\w.-]{1,31})|Disconnected from (?:authenticating |invalid )?user (\S{2,32}) /y
/** `Accepted publickey for jane from …`: the first word is at `start`. */
export function sshdAt(text: string, start: number, report: Report): void {
  const match = matchAt(SSHD, text, start)
  const name = match?.slice(1).find((group) => group !== undefined)
  if (match === null || name === undefined || !isUser(name)) return
  const at = start + match[0].lastIndexOf(name)
  report('username', 'sshd', at, at + name.length, 0.85)
}

const SYSLOG = /(?:\w{3} {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?) ([A-Za-z0-9][\w.-]{2,62}) [\w./()-]{2,48}(?:\[\d+\])?:/y
/** `Mar  4 18:22:10 host proc[1]:`, the month at `start`. */
export function syslogAt(text: string, start: number, report: Report): void {
  const host = matchAt(SYSLOG, text, start)?.[1]
  if (host === undefined || !isHost(host)) return
  const at =
    SYSLOG.lastIndex -
    text.slice(start, SYSLOG.lastIndex).length +
    text.slice(start, SYSLOG.lastIndex).search(/(?<=:\d\d(?:\.\d+)? )[A-Za-z0-9]/)
  report('hostname', 'syslog', at, at + host.length, 0.8)
}

const UNAME = / ([A-Za-z0-9][\w.-]{2,62}) \d{1,2}\.\d{1,3}\.\d{1,3}\S* (?:#\d|Darwin Kernel)/y
/** `Linux host 6.8.0-41-generic #41-…`, `end` after the first word. */
export function unameAt(text: string, end: number, report: Report): void {
  const host = matchAt(UNAME, text, end)?.[1]
  if (host !== undefined && isHost(host) && host !== 'version') report('hostname', 'uname', end + 1, end + 1 + host.length, 0.8)
}

const OWNER = /\(([a-z_][\w.-]{1,31})\)/y
/** `uid=1000(jane) gid=1000(jane) groups=…`, the bracket at `at`. */
export function idAt(text: string, at: number, report: Report): void {
  const name = matchAt(OWNER, text, at)?.[1]
  if (name === undefined || !isUser(name)) return
  const line = text.slice(Math.max(0, at - 300), at)
  if (
    /\b(?:uid|gid|euid)=\d+$/.test(line) ||
    (/\bgroups=[\w(),.-]*$/.test(line) && new RegExp(String.raw`\b[ug]id=\d+\(${name.replaceAll('.', String.raw`\.`)}\)`).test(line))
  )
    report('username', 'id', at + 1, at + 1 + name.length, 0.9)
}

const BRACKETED = /\((?:as )?$/
const OF_USER =
  /(?:for|by|as|of|about|add|remove|delete|create|disable|enable|invite|grant|revoke|unlock|lock|impersonate|invalid|unknown|locked|banned|failed|authenticated)(?: the)? $/i
const USER_NAME = / ["'<]?([A-Za-z][\w.-]{1,39})["'>]?(?=[ ,:;)\]]|\.?(?:\s|$))/y
/** "login failed for user jane.roe from …": the word `user` ends at `end`. */
export function userAt(text: string, start: number, end: number, report: Report): void {
  const match = matchAt(USER_NAME, text, end)
  if (match === null) return
  const name = match[1]!.replace(/\.$/, '')
  const rest = text.slice(end + match[0].length, end + match[0].length + 24)
  const hasAction =
    /^ (?:from \d|from \[|logged |signed |authenticated|connected|got |was |via ssh|@ |at \d|failed|denied|locked|changed)/.test(rest)
  const isBracketed = BRACKETED.test(text.slice(Math.max(0, start - 4), start)) && rest.startsWith(')') && /[\d._-]/.test(name)
  if (isBracketed && isUser(name))
    return report('username', 'log', end + match[0].indexOf(match[1]!), end + match[0].indexOf(match[1]!) + name.length, 0.7)
  const isObject = OF_USER.test(text.slice(Math.max(0, start - 16), start))
  if (/^[a-z]+$/.test(name) && isOrdinaryWord(name) && !isGivenName(name)) return
  if (!isUser(name) || !(hasAction || (isObject && /[\d._-]|^[,:;)\]]/.test(name + rest[0]))) || (!/[\d._-]/.test(name) && !hasAction))
    return
  if (
    /^(?:id|name|names|data|input|agent|account|accounts|profile|session|sessions|object|model|table|who|with|that|is|has|to|in|on|and|or)$/i.test(
      name,
    )
  )
    return
  const at = end + match[0].indexOf(match[1]!)
  report('username', 'log', at, at + name.length, 0.7)
}

const ADDRESSED = /^ (?:could|can|would|please|pls|will|do|did|thanks|thx|what|any|is|are|have|you|I|ptal|look|let|should)\b/i
const HANDLES =
  /(?:^|[\s(,])(?:cc|cc:|CC|thanks|thank you|thx|ping|by|ask|hey|hi|hello|reviewed by|assigned to|assignee:?|reviewers?:?|attn|fyi|over to) (?:@[\w-]{2,38},?(?: and| &)? ){0,4}$/
const HANDLE = /@([A-Za-z][\w-]{1,38})(?![\w/@.(-]|:\d)/y
/** A line of CODEOWNERS: a path pattern, then accounts. */
const OWNERS = /(?:^|\n)(?:\*|\/?[\w.*-]+\/[\w.*/-]*|\*?\.\w+|[\w.-]+\.\w+)[ \t]+(?:@[\w./-]+[ \t]+){0,6}$/
const isOwners = (text: string, at: number) =>
  OWNERS.test(text.slice(Math.max(0, at - 160), at)) && /^@[\w-]+[ \t]*(?:@|\r?\n|$)/.test(text.slice(at, at + 60))

/** "cc @jane-roe": a person mentioned by account, the `@` at `at`. */
export function handleAt(text: string, at: number, report: Report): void {
  const before = text.charCodeAt(at - 1)
  if (before !== 32 && before !== 10 && before === before) return
  const name = matchAt(HANDLE, text, at)?.[1]
  // `@total_ordering` is a decorator
  if (name === undefined || !isUser(name) || isNamedByWords(name)) return
  const isMention =
    HANDLES.test(text.slice(Math.max(0, at - 46), at)) ||
    isOwners(text, at) ||
    (ADDRESSED.test(text.slice(at + 1 + name.length, at + 12 + name.length)) && !isOrdinaryWord(name) && name.length > 4)
  if (!isMention) return
  if (
    /^(?:internal|remarks|note|ts-[\w-]+|staticmethod|classmethod|dataclass|wraps|final|abstractmethod|todo|example|default|defaultValue|readonly|private|public|protected|alpha|beta|experimental|module|file|fileoverview|license|preserve|typedef|callback|template|extends|implements|inheritDoc|async|generator|yields|fires|event|memberof|class|constructor|constant|enum|function|method|name|namespace|summary|description|tutorial|version|api|group|hidden|ignore|packageDocumentation|privateRemarks|sealed|virtual|jsx|jsxImportSource|flow|nocheck|format|generated|codegen|test|before|after|types?|xref|ref|anchor|param|returns?|throws|see|link|deprecated|since|media|import|keyframes|property|override|everyone|here|channel|all|team|angular|babel|nestjs|vue|latest|next)$/i.test(
      name,
    )
  )
    return
  report('username', 'handle', at + 1, at + 1 + name.length, 0.6)
}

const STAMPED =
  /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d) ([A-Za-z][\w.-]{2,62}) (?:[\w./()-]{2,48}(?:\[\d+\])?:|[\w.-]{1,48} (?:\d+|-) \S+ )/y
/** `2026-05-05T10:00:00Z host proc[1]:`, the year at `start`. */
export function timestampedHostAt(text: string, start: number, report: Report): void {
  const host = matchAt(STAMPED, text, start)?.[1]
  if (host === undefined || !isHost(host) || !/[-\d.]/.test(host) || /^(?:INFO|WARN|ERROR|DEBUG|TRACE|info|warn|error|debug)/.test(host))
    return
  const at = start + text.slice(start, start + 60).indexOf(` ${host} `) + 1
  report('hostname', 'syslog', at, at + host.length, 0.75)
}

const SUDOER = /(?:^|[\s:])([a-z_][\w.-]{1,31}) : $/
/** `sudo: jroe : TTY=pts/0 ;`, the word `TTY` at `start`. */
export function sudoAt(text: string, start: number, report: Report): void {
  const lead = text.slice(Math.max(0, start - 44), start)
  const name = SUDOER.exec(lead)?.[1]
  if (name === undefined || !isUser(name)) return
  const at = start - 3 - name.length
  report('username', 'sudo', at, at + name.length, 0.85)
}

const OF_MACHINE = / ["'`]?([A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+)["'`]?(?=[\s,;)!?]|\.(?:\s|$)|:\s|$)/y
/** Kinds and numbers of things, not hosts. */
const NO_MACHINE =
  /^(?:pre|post|non|sub|multi|semi|v\d+|x86|http|ipv?\d|utf|sha|es|py|thread|pool|app|task|job|step|test|version|build|alpha|beta|rc|type|side|end|level|time|wide|based|only|driven|sent|rendered|to|is|at|group|name|config|js|exporter|process)(?![A-Za-z])|-(?:side|based|level|only|name|config|group|to|of|process|module|modules|version|id|ids|port|count)(?:-|$)/i
/** "on host web-07": the word "host" or similar ends at `end`. */
export function machineNamedAt(text: string, start: number, end: number, report: Report): void {
  const name = matchAt(OF_MACHINE, text, end)?.[1]
  if (name === undefined || !isHost(name) || NO_MACHINE.test(name) || name.length < 5) return
  const before = text.slice(Math.max(0, start - 10), start)
  if (!/-\d{1,4}[a-z]?$|^[A-Z]+(?:-[A-Z0-9]+)*-\d{2,6}$|[a-z]\d{1,3}$/.test(name) || /[.\w-]$/.test(before)) return
  const at = end + text.slice(end, end + 3).search(/[A-Za-z]/)
  report('hostname', 'named machine', at, at + name.length, 0.6)
}

const PRIVATE = /^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./
const NAMES = /[ \t]+([A-Za-z][\w.-]{2,60}(?:[ \t]+[A-Za-z][\w.-]{2,60}){0,4})[ \t]*(?=#|\r?\n|$)/y
/** Reports host names after a private address, including a short name next to its full name. */
function reportAliases(text: string, start: number, end: number, report: Report): void {
  if (!PRIVATE.test(text.slice(start, end))) return
  const match = matchAt(NAMES, text, end)
  if (match === null) return
  const fullNames = match[1]!.split(/[ \t]+/).filter((name) => name.includes('.') && isMachine(name))
  for (const { 0: name, index } of match[1]!.matchAll(/[\w.-]+/g)) {
    if (!isHost(name) || !(isMachine(name) || fullNames.some((one) => one.startsWith(`${name}.`)))) continue
    const at = end + match[0].indexOf(match[1]!) + index
    report('hostname', 'hosts file', at, at + name.length, 0.65)
  }
}
const TAILNET = /[ \t]+([A-Za-z][\w.-]{2,60})[ \t]+([\w.-]{2,40})@[ \t]+(?:linux|macOS|windows|iOS|android|tvOS|freebsd)/y
const HOSTS_LINE =
  /[ \t]+((?:[A-Za-z][\w.-]*[ \t]+)*?)([A-Za-z][A-Za-z0-9]*-?[\w-]*\d[\w-]*)(?=[ \t]+[A-Za-z][\w.-]*\.[\w.-]+|[ \t]*(?:#|\r?\n|$))/y
/** A line of /etc/hosts: the address at its start ends at `end`. */
export function hostsLineAt(text: string, start: number, end: number, report: Report): void {
  if (start > 0 && text.charCodeAt(start - 1) !== 10) return
  reportAliases(text, start, end, report)
  const peer = matchAt(TAILNET, text, end)
  if (peer !== null) {
    const place = end + peer[0].indexOf(peer[1]!)
    if (isHost(peer[1]!)) report('hostname', 'tailnet', place, place + peer[1]!.length, 0.75)
    const user = end + peer[0].indexOf(` ${peer[2]!}@`) + 1
    if (isUser(peer[2]!)) report('username', 'tailnet', user, user + peer[2]!.length, 0.75)
    return
  }
  const match = matchAt(HOSTS_LINE, text, end)
  if (match === null || !isHost(match[2]!) || match[2]!.length > 40) return
  const at = end + match[0].length - match[2]!.length
  report('hostname', 'hosts file', at, at + match[2]!.length, 0.65)
}
