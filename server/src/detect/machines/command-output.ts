import { isHost, isUser } from './hosts.ts'
import { lineEnd, lineStart } from '../lines.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { isEvidentPassword, looksLikeSecret } from '../secrets/secret-values.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Output of commands that print a user, a host or a secret. */

const PRINTS = new RegExp(
  [
    String.raw`\b(?:cat|head|tail|less|bat|type|Get-Content)\s[^|;&\n]*(?:secret|passw|token|api[-_]?key|apikey|credential|private|master\.key|[._-]pat\b)[^|;&\n]*$`,
    String.raw`\bopenssl\s+rand\b`,
    String.raw`\b(?:pwgen|apg|makepasswd)\b|\bwg\s+(?:genkey|genpsk)\b`,
    String.raw`\bauth\s+(?:application-default\s+)?print-(?:access|identity)-token|\b(?:gh|glab)\s+auth\s+token|\bheroku\s+auth:token|\bget-login-password`,
    String.raw`\bbase64\s+(?:-d|-D|--decode)\b\s*;?(?:\s*echo)?$`,
    String.raw`\bvault\s+(?:kv\s+get|read)\s[^\n]*-field[= ]|\boutput\s+-raw\s+\S*(?:pass|secret|token|key)|\bfind-(?:generic|internet)-password\b`,
    String.raw`\bop\s+read\b|\b(?:pass|lpass)\s+show\b|\bbw\s+get\s+password|\bsecret-tool\s+lookup|\bsecrets?\s+versions\s+access|\bget-secret-value\b|\bssm\s+get-parameter\b`,
    String.raw`\bprintenv\s+\w*(?:TOKEN|SECRET|PASS|KEY)\w*$|\becho\s+"?\$\{?\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY)\w*\}?"?$`,
    String.raw`\bget-access-token\b[^\n]*tsv|\bkeyvault\s+secret\s+show\b[^\n]*tsv|\bdoppler\s+secrets\s+get\b|\bsecrets\.token_(?:hex|urlsafe)\(|\brandomBytes\(`,
    String.raw`\bwg\s+show\s+\S+\s+(?:private-key|preshared-keys?)$`,
    String.raw`\baz\b[^\n]*\b(?:keys?\s+list|list-keys|show-connection-string|credential\s+show|admin-key\s+show)\b[^\n]*tsv`,
    String.raw`\b\w+\s+config\s+get\s+\S*(?:api|token|secret|key|auth|passw)\S*$`,
  ].join('|'),
)
/** Commands that print only the value. */
const BARE =
  /\bget\s+secrets?\b[^\n]*\bbase64\s+(?:-d|-D|--decode)\b|\b(?:pass|lpass|gopass)\s+show\b|\bbw\s+get\s+password|\bop\s+read\b|\bsecret-tool\s+lookup|\bfind-(?:generic|internet)-password\b[^\n]*\s-w|\bwg\s+(?:show|genkey|genpsk)|\bconfig\s+get\s/
/** Words of the commands in `PRINTS` and `BARE`. */
export const PRINTERS =
  'cat head tail less bat openssl pwgen apg makepasswd wg kubectl config gopass genkey genpsk gcloud gh glab heroku aws vault terraform security op pass lpass bw printenv echo base64 az doppler'.split(
    ' ',
  )

/** Whether a line is one word with a digit, and no path, message or setting. */
const isWhole = (value: string) =>
  /^(?=.*\d)(?=.*[A-Za-z])[^\s(){}<>:]{8,200}$/.test(value) &&
  !isPlaceholder(value) &&
  !/^[~./]|^[\w-]+\.\w{2,4}$|^v?\d+(?:\.\d+)+/.test(value)

/** A password of plain words. `MESSAGE` has words of messages that are printed instead. */
const PHRASED = /^\p{L}{2,16}(?:[ -]\p{L}{2,16}){2,7}$/u
const MESSAGE =
  /\b(?:error|not|no|could|found|failed|denied|such|cannot|is|vault|locked|logged|please|enter|unable|missing|already|usage)\b/i

const MAX_LINES = 3
const COMMAND = /^\s*(?:[\w@.~:/() -]{0,60}[$#❯➜%>]|\$|#|PS [^>]*>|>>>)\s/
/** Reports the first line after a command that is a single secret value. `at` is in the line of the command. */
export function printedSecretAt(text: string, at: number, report: Report): void {
  let end = lineEnd(text, at, 400)
  if (text.charCodeAt(end) !== 10) return
  const from = lineStart(text, at, 300)
  const command = text.slice(from, end)
  if (!PRINTS.test(command)) return
  const isBare = BARE.test(command)
  for (let lines = 0; lines < MAX_LINES && text.charCodeAt(end) === 10; lines += 1) {
    const start = end + 1
    end = lineEnd(text, start, 400)
    const line = text.slice(start, end)
    if (COMMAND.test(line)) return
    const value = line.trim()
    if (isBare && lines === 0 && (isWhole(value) || (PHRASED.test(value) && !MESSAGE.test(value)))) {
      const place = start + line.indexOf(value)
      return report('secret', 'printed', place, place + value.length, 0.75)
    }
    if (/\s/.test(value) || value.length < 8 || /^[0-9a-f]{40}$|[:{}()]|\.\w{2,4}$/.test(value)) continue
    if (!(value.length >= 14 ? looksLikeSecret(value, { quoted: true, uuid: false, least: 14 }) : isEvidentPassword(value))) continue
    const place = start + line.indexOf(value)
    report('secret', 'printed', place, place + value.length, 0.75)
    return
  }
}

const WHO = /whoami[ \t]*\r?\n[ \t]*([a-zA-Z][\w.-]{1,39}|[A-Za-z][\w-]{1,14}\\[\w.-]{2,40})[ \t]*(?:\r?\n|$)/y
/** `whoami` and the line after it. */
export function whoamiAt(text: string, start: number, report: Report): void {
  const match = matchAt(WHO, text, start)
  if (match === null) return
  const parting = match[1]!.indexOf('\\')
  const name = match[1]!.slice(parting + 1)
  const machine = match[1]!.slice(0, Math.max(0, parting))
  if (/[a-z]+\d|-/i.test(machine) && isHost(machine)) {
    const from = start + match[0].indexOf(match[1]!)
    report('hostname', 'whoami', from, from + machine.length, 0.75)
  }
  if (!isUser(name)) return
  const at = start + match[0].lastIndexOf(name)
  report('username', 'whoami', at, at + name.length, 0.85)
}

const MACHINE = /(?:hostname|uname -n|hostname -[fs]|hostname --fqdn)[ \t]*\r?\n[ \t]*([a-zA-Z0-9][\w.-]{2,60})[ \t]*(?:\r?\n|$)/y
/** `$ hostname` and the line after it. */
export function hostnameAt(text: string, start: number, report: Report): void {
  const before = text.slice(Math.max(0, start - 3), start)
  if (!/(?:[$#>❯] ?|^)$/.test(before)) return
  const match = matchAt(MACHINE, text, start)
  if (match === null || !isHost(match[1]!) || /^\d+$/.test(match[1]!)) return
  const at = start + match[0].lastIndexOf(match[1]!)
  report('hostname', 'hostname', at, at + match[1]!.length, 0.8)
}

const LISTED =
  /(?:^|\n)([a-z_][\w.-]{1,31}) +(?:(?:pts\/\d+|ttys?\d+|:\d|console) +(?:\d{4}-\d\d-\d\d|[A-Z][a-z]{2} |\d{1,3}\.|:\d|[\w.-]+ +(?:[A-Z][a-z]{2} |\d\d:\d\d))|\d{2,7} +\d{1,3}\.\d +\d{1,3}\.\d )/y
/** Output of `who`, `w`, `last` and `ps aux`: the name at the start of the line of `at`. */
export function loggedAt(text: string, at: number, report: Report): void {
  const from = lineStart(text, at, 90)
  const match = matchAt(LISTED, text, from > 0 ? from - 1 : from)
  if (match === null || !isUser(match[1]!) || /^(?:reboot|runlevel|shutdown|wtmp|_\w+)$/.test(match[1]!)) return
  const start = match.index + (match[0].startsWith('\n') ? 1 : 0)
  report('username', 'who', start, start + match[1]!.length, 0.85)
}
