import { isHost } from './hosts.ts'
import { isInternalHost, isTopLevel } from './domains.ts'
import { isOrdinaryWord } from '../people/names.ts'
import type { Report } from '../types.ts'

/** Hosts recognised by a role in their name, with a number or a place, alone or under a private domain. */

/** Roles in host names. */
const ROLES =
  'srv|svr|server|sql|db|tsdb|pg|pgsql|postgres|maria|mariadb|mysql|mssql|ora|oracle|mongo|redis|cache|es|elastic|kafka|mq|rabbit|rabbitmq|mx|ns|dns|ldap|dc|kdc|vpn|gw|gateway|router|rtr|fw|firewall|bastion|jump|jumphost|ssh|ftp|sftp|nas|san|nfs|smb|fs|file|files|filesrv|fileserver|print|printsrv|druckserver|backup|bkp|web|app|node|worker|batch|cron|etl|gpu|hpc|build|ci|jenkins|runner|k8s|esx|esxi|pve|hv|vm|vps|host|edge|proxy|lb|haproxy|log|logs|syslog|prod|stg|stage|staging|dev|test|qa|uat|laptop|lt|desktop|pc|imac|macbook|mac|nb|ws|workstation|rdp|ts|synology|qnap|pi|mail|exchange'
const ROLE = new RegExp(`^(?:${ROLES})$`, 'i')
const ROLE_NUMBERED = new RegExp(`^(?:${ROLES})\\d{1,4}[a-z]?$`, 'i')
/** `shopdb2`, `maildb1`. */
const ENDS_IN_ROLE = new RegExp(`^[a-z]*(?:${ROLES.replace('|pi|', '|').replace('|es|', '|').replace('|ts|', '|')})\\d{1,4}[a-z]?$`, 'i')
const INTERNAL = /^(?:intra|intern|intranet|internal|extranet)$/i
/** Roles that need no number. */
const ROLES_WITHOUT_NUMBER =
  /^(?:srv|svr|sql|nas|vps|synology|qnap|filesrv|fileserver|druckserver|laptop|macbook|imac|workstation|nb|bastion|jumphost|tsdb|esxi?|pve)$/i
export const MACHINE_WORDS = ROLES.split('|')

/** Products and categories, which are also followed by numbers. */
const COMMON_PARTS =
  /^(?:claude|llama|gpt|gemini|qwen|mistral|ubuntu|debian|alpine|python|java|windows|macos|android|chrome|step|task|test|phase|stage|version|release|build|worker|thread|pool|shard|partition|replica|pod|sample|example|demo|issue|ticket|part|page|item|layer|block|group|team|my|the|app|web|api|node|db|docker|compose|container|image|service|svc|main|feature|branch|patch|fix|utf|sha|arm|amd|x)$/i

/** Managed databases and caches of cloud providers. */
const MANAGED =
  /\.(?:rds|cache|redshift|docdb|elasticache|es|aoss)\.(?:[a-z0-9-]+\.)?amazonaws\.com$|\.[a-z0-9-]+\.(?:rds|cache|redshift)\.amazonaws\.com$|\.(?:database\.windows\.net|(?:postgres|mysql|mariadb)\.database\.azure\.com|redis\.cache\.windows\.net|db\.ondigitalocean\.com|aivencloud\.com)$/i
/** Public services. */
const PUBLIC =
  /(?:^|\.)(?:google(?:apis)?|gmail|github(?:usercontent)?|gitlab|bitbucket|docker|npmjs|yarnpkg|pypi|pythonhosted|debian|ubuntu|canonical|microsoft|office365|outlook|live|windows|azure|amazonaws|amazon|cloudflare|fastly|akamai|apple|icloud|mozilla|kernel|k8s|kubernetes|maven|apache|nodejs|rust-lang|crates|golang|heroku|netlify|vercel|digitalocean|stripe|twilio|sendgrid|mailgun|slack|discord|sentry|datadoghq|newrelic|openai|anthropic|huggingface|nvidia|wikipedia|stackoverflow|yahoo|facebook|mongodb|elastic|redis|oracle|ntp|pool\.ntp|opendns|quad9|ionos|ovh|hetzner|gandi|sourceforge|archlinux|fedoraproject|centos|redhat|alpinelinux|eclipse|jetbrains|gradle|rubygems|packagist|ietf|w3|iana|letsencrypt|let-s-encrypt)\.(?:com|org|net|io|dev|de|fr|co|ai|app|sh|cloud|cn|uk|in|us|tech)$/i

/** Whether a full name belongs to a host: `pg01.acme.fr`, `bastion.acme.ie`, a cloud database. */
export function isMachineUnder(host: string): boolean {
  if (!isHost(host) || !/^[a-z0-9][\w-]*(?:\.[a-z0-9-]+){2,}$/i.test(host)) return false
  if (MANAGED.test(host)) return true
  const labels = host.split('.')
  if (PUBLIC.test(host) || !isTopLevel(labels.at(-1)!) || /^\d+$/.test(labels.at(-2)!)) return false
  return labels[0]!.split('-').some((part) => ROLE.test(part) || ENDS_IN_ROLE.test(part) || INTERNAL.test(part))
}

/** Whether the parts of a name without a dot are a role and a place or number: `edge-oslo-1`, `srv-brno-sql`. */
export function isMachineName(name: string): boolean {
  if (name.length < 5 || name.length > 40 || !/^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,4}$/i.test(name) || !isHost(name)) return false
  const parts = name.split('-')
  if (!parts.some((part) => ROLE.test(part) || ROLE_NUMBERED.test(part))) return false
  // a place, a team or a company: not a word of a language or a product
  const hasUncommonPart = parts.some(
    (part) =>
      part.length > 2 && /^[a-z]+$/i.test(part) && !ROLE.test(part) && !COMMON_PARTS.test(part) && !isOrdinaryWord(part.toLowerCase()),
  )
  if (hasUncommonPart) return /\d$/.test(name) || parts.some((part) => ROLES_WITHOUT_NUMBER.test(part))
  const hasPlaceCode = parts.some((part) => /^[a-z]{3}$/i.test(part) && !ROLE.test(part) && !COMMON_PARTS.test(part))
  return hasPlaceCode && parts.length > 2 && /-\d{1,4}$/.test(name)
}

const AT =
  /(?:^|[\s(])(?:on|onto|from|to|into|at|via|ssh|reboot|restart|restarte|starte|start|stop|stoppe|redémarre|reinicia|ping|asset|machine|host|box|server|hostname|called|named|auf|vom|von|zum|sur|en|op|su|na|em|is|ist|est|es|är|på|the|vm)(?: (?:the|host|server|box|der|dem|le|la|el|il))?[ :] ?["'`]?$/i
/** Reports the name around a word of MACHINE_WORDS next to a hyphen, if the text shows that it is a host. */
export function machinePhraseAt(text: string, start: number, end: number, report: Report): void {
  let from = start
  while (from > 0 && start - from < 40 && isNamePart(text.charCodeAt(from - 1))) from -= 1
  let to = end
  while (to - end < 40 && isNamePart(text.charCodeAt(to))) to += 1
  if (to - from < 5 || /[\w./\\@:$=+~%]/.test(text[from - 1] ?? ' ') || /[\w/\\@$=({[~]/.test(text[to] ?? ' ')) return
  if (text[to] === '.' && /[\w-]/.test(text[to + 1] ?? ' ')) {
    const host = UNDER.exec(text.slice(from, from + 90))?.[0]
    if (host !== undefined && isMachineUnder(host)) report('hostname', 'named machine', from, from + host.length, 0.65)
    return
  }
  const name = text.slice(from, to)
  const after = text.slice(to, to + 60)
  if (!isMachineName(name)) return
  const isInventoryLine =
    /(?:^|\n)[ \t]*(?:- )?$/.test(text.slice(Math.max(0, from - 12), from)) && /^:\s*\n\s+ansible_|^[ \t]+ansible_|^\s+: ok=/.test(after)
  const isAnsibleResult =
    text[from - 1] === '[' &&
    text[to] === ']' &&
    /\b(?:ok|changed|fatal|skipping|unreachable): \[$/.test(text.slice(Math.max(0, from - 14), from))
  if (isInventoryLine || isAnsibleResult || AT.test(text.slice(Math.max(0, from - 24), from)))
    report('hostname', 'named machine', from, to, 0.65)
}
/** First label with a number after a hyphen: `stg-web-02.acme.io`. */
const UNDER = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*-\d{1,4}[a-z]?(?:\.[a-z0-9-]{2,63}){2,4}(?![\w/(=@-]|\.\w)/i
const isNamePart = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || (code >= 65 && code <= 90)

export const isMachine = (host: string) => (host.includes('.') ? isInternalHost(host) || isMachineUnder(host) : isMachineName(host))

export const isPublicName = (host: string) =>
  PUBLIC.test(host) ||
  /^(?:www|api|docs?|cdn|static|blog|status|support|help|shop|store|assets|images?|img|media|smtp|imap|pop3?|mail|ftp|auth|login|accounts?|raw|registry|hub|download|downloads|packages|repo|mirror)\d?\./i.test(
    host,
  )
