import { isHost, isUser } from './hosts.ts'
import { lineEnd } from '../lines.ts'
import { isEvidentPassword, looksLikeSecret } from '../secrets/secret-values.ts'
import type { Report } from '../types.ts'

/** Output of commands that print a name or a secret: `$ whoami && hostname` and the two lines after it. */

const USER =
  /^(?:(?:who(?:ami)?|id -u?nu?|logname|users|(?:npm|pnpm|yarn|cargo|oc|fly|flyctl|vercel|netlify|heroku|wrangler|railway|gcloud|doctl|snyk|sf|hf|huggingface-cli) (?:auth:)?whoami|echo "?\$\{?(?:USER|LOGNAME|USERNAME|SUDO_USER)\}?"?|gh api user (?:--jq|-q) '?\.login'?|git config (?:--\w+ )*(?:github\.user|user\.username)|stat -c ['"]?%U['"]? .*|stat -f ['"]?%Su['"]? .*|getent passwd \S+ \| cut -d: -f1|echo %USERNAME%|\$env:USERNAME|id -un .*|ps -o user= .*))$/
const HOST =
  /^(?:hostname(?: -[fsI]| --fqdn| --short)?|uname -n|hostnamectl (?:hostname|--static)|cat \/etc\/hostname|echo "?\$\{?(?:HOSTNAME|HOST|COMPUTERNAME)\}?"?|scutil --get (?:LocalHostName|HostName|ComputerName)|sysctl -n kern(?:el)?\.hostname|nodename|\$env:COMPUTERNAME|echo %COMPUTERNAME%)$/
const SECRET =
  /secret|passw|passphrase|token|api[-_]?key|apikey|private[-_]?key|credential|master[._-]?key|[._/-]pat\b|access[-_]key|_key\b|pgpass|unseal/i
/** Commands that print a value, not commands that list, search, write or build. */
const READS =
  /^(?:sudo )?(?:cat|head|tail|less|bat|type|print|printf|echo|printenv|jq|yq|awk|cut|sed|grep -oh?P?|get|gpg|age|sops|openssl|etcdctl|consul|vault|kubectl|oc|aws|az|gcloud|gh|glab|heroku|fly|flyctl|doctl|op|pass|gopass|bw|rbw|security|secret-tool|keyring|python3?|node|ruby|php|rails|bundle|ansible-vault|chamber|doppler|infisical|redis-cli|psql|mysql|sqlite3|mongosh|docker|podman|terraform|pulumi|kpcli|lpass|nmcli|wg|ssh|curl|npm|wrangler|vercel|railway|credstash|berglas|Get-\w+|crudini|git config|defaults read|base64|dotnet|firebase|supabase|snowsql|helm|systemctl|journalctl|rabbitmqctl|tr)\b/
const WRITES =
  /\b(?:rm|chmod|vi|vim|nano|touch|mkdir|wc|ls|diff|cp|mv|scp|sha\d*sum|md5sum|create|delete|set|put|rotate|revoke|install|build|test|lint|status|log|history|describe)\b|>\s*\S|-o \S+\.\w+$/
const SILENT = /^(?:cd|export|set|source|\.|sudo -v|clear|sleep|alias|unset|pushd|popd)\b/
const MAX_PARTS = 4

/** Reads the command after every shell prompt, and the output below it. */
export function readPrompts(text: string, report: Report): void {
  for (const sign of ['$ ', '❯ ', '> ', '# '])
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 2)) if (isPrompt(text, at)) readOutput(text, at + 2, report)
}

/** Whether a prompt character is at the start of its line, or after `user@host:~/x`, `(env) ~`, `PS C:\x`, `[x@y z]`. */
function isPrompt(text: string, at: number): boolean {
  if (at === 0 || text.charCodeAt(at - 1) === 10) return true
  const sign = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  // most such characters are in sentences or code
  if (sign === 62 ? before === 45 || before === 61 || before === 32 : before === 35 || before === 40 || before === 34) return false
  let from = at
  while (from > 0 && at - from < 90 && text.charCodeAt(from - 1) !== 10) from -= 1
  return LEAD.test(text.slice(from, at))
}
const LEAD =
  /^(?:\([\w.-]+\) )?(?:\[?[\w.-]+@[\w.-]+(?:[: ][\w~/. -]*)?\]?\s?|PS [A-Z]:\\[^>]*|[A-Z]:\\[^>]*|~[\w/.-]*\s?|(?:bash|sh|zsh)-[\d.]+)$/

function readOutput(text: string, at: number, report: Report): void {
  let end = lineEnd(text, at, 400)
  if (text.charCodeAt(end) !== 10) return
  const command = text.slice(at, end).trim()
  if (command === '' || !MAY_ASK.test(command)) return
  const parts = command.split(/\s*(?:&&|;)\s*/)
  if (parts.length > MAX_PARTS) return
  for (const part of parts) {
    if (SILENT.test(part)) continue
    const start = end + 1
    end = lineEnd(text, start, 600)
    const line = text.slice(start, end)
    const value = line.trim()
    if (value === '') return
    const from = start + line.indexOf(value)
    if (USER.test(part)) {
      for (const { 0: name, index } of value.matchAll(/\S+/g)) {
        const bare = name.slice(name.lastIndexOf('\\') + 1)
        if (!/^[A-Za-z][\w.@-]{1,39}$/.test(bare) || !isUser(bare)) break
        report('username', 'printed', from + index + name.length - bare.length, from + index + name.length, 0.8)
        if (!part.startsWith('users')) break
      }
    } else if (HOST.test(part)) {
      if (/^[A-Za-z][\w.-]{2,60}$/.test(value) && isHost(value)) report('hostname', 'printed', from, from + value.length, 0.8)
    } else if (SECRET.test(part) && READS.test(part) && !WRITES.test(part)) {
      const bare = value.replace(/^["']|["']$/g, '')
      if (
        !/\s/.test(bare) &&
        !/^[0-9a-f]{40}$|[{}[\]<>]|\.\w{2,4}$|^[\w.-]+:/.test(bare) &&
        (bare.length >= 14
          ? looksLikeSecret(bare, { quoted: true, uuid: /get|read|show|print/.test(part), least: 14 })
          : isEvidentPassword(bare))
      )
        report('secret', 'printed', from + value.indexOf(bare), from + value.indexOf(bare) + bare.length, 0.75)
      return
    } else return
  }
}
/** A cheap check whether a command may print a name or a secret. */
const MAY_ASK =
  /\b(?:who|id -|logname|users|USER|USERNAME|LOGNAME|host|uname|HOST|COMPUTERNAME|scutil|sysctl|stat|login|user)|secret|passw|passphrase|token|key|credential|\bpat\b|unseal/i
