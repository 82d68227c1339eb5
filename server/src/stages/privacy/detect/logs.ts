import { isHost, isUser } from './hosts.ts'
import type { Report } from './types.ts'

/** Users and machines in the lines that systems write: sshd, syslog, `id`, `uname`. */

const SSHD =
  /(?:Accepted|Failed) [\w/-]+ for (?:invalid user )?(\S{2,32}) from |[Ii]nvalid user (\S{2,32}) from |session (?:opened|closed) for user (\w[\w.-]{1,31})|Disconnected from (?:authenticating |invalid )?user (\S{2,32}) /y
/** `Accepted publickey for jane from …`: the first word stands at `start`. */
export function sshdAt(text: string, start: number, report: Report): void {
  SSHD.lastIndex = start
  const match = SSHD.exec(text)
  const name = match?.slice(1).find((group) => group !== undefined)
  if (match === null || name === undefined || !isUser(name)) return
  const at = start + match[0].lastIndexOf(name)
  report('username', 'sshd', at, at + name.length, 0.85)
}

const SYSLOG = /(?:\w{3}) [ \d]\d \d\d:\d\d:\d\d ([A-Za-z0-9][\w.-]{2,62}) [\w./-]{2,48}(?:\[\d+\])?:/y
/** `Mar  4 18:22:10 host proc[1]:`, the month at `start`. */
export function syslogAt(text: string, start: number, report: Report): void {
  SYSLOG.lastIndex = start
  const host = SYSLOG.exec(text)?.[1]
  if (host !== undefined && isHost(host)) report('hostname', 'syslog', start + 16, start + 16 + host.length, 0.8)
}

const UNAME = / ([A-Za-z0-9][\w.-]{2,62}) \d{1,2}\.\d{1,3}\.\d{1,3}\S* (?:#\d|Darwin Kernel)/y
/** `Linux host 6.8.0-41-generic #41-…`, `end` behind the first word. */
export function unameAt(text: string, end: number, report: Report): void {
  UNAME.lastIndex = end
  const host = UNAME.exec(text)?.[1]
  if (host !== undefined && isHost(host) && host !== 'version') report('hostname', 'uname', end + 1, end + 1 + host.length, 0.8)
}

const OWNER = /\(([a-z_][\w.-]{1,31})\)/y
/** `uid=1000(jane) gid=1000(jane) groups=…`, the bracket at `at`. */
export function idAt(text: string, at: number, report: Report): void {
  OWNER.lastIndex = at
  const name = OWNER.exec(text)?.[1]
  if (name === undefined || !isUser(name)) return
  const line = text.slice(Math.max(0, at - 300), at)
  if (
    /\b(?:uid|gid|euid)=\d+$/.test(line) ||
    (/\bgroups=[\w(),.-]*$/.test(line) && new RegExp(String.raw`\b[ug]id=\d+\(${name.replaceAll('.', String.raw`\.`)}\)`).test(line))
  )
    report('username', 'id', at + 1, at + 1 + name.length, 0.9)
}
