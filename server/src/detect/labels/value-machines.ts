import { classOfIpv4 } from '../checksums.ts'
import { isInternalHost } from '../machines/domains.ts'
import { isNamedByWords, isTypeName } from '../expressions.ts'
import type { Field } from './field.ts'
import { isHost, isUser } from '../machines/hosts.ts'
import { isMachine, isPublicName } from '../machines/machine-names.ts'
import { isGivenName, isOrdinaryWord } from '../people/names.ts'
import { sliceAt, type Check, matchInside, isCode } from './value-check.ts'

export const ip: Check = (field, report) => {
  const found = matchInside(field, /^\d{1,3}(?:\.\d{1,3}){3}(?!\.?\d)/)
  if (found !== null && classOfIpv4(found.text.split('.').map(Number)) === 'public')
    report('ip_address', 'label', found.start, found.end, 0.92, true)
}

export const username: Check = (field, report, whole) => {
  const text = field.text.replace(/^@/, '')
  if (text.toLowerCase() === field.phrase || isTypeName(text)) return
  if (
    !field.quoted &&
    field.style === 'assign' &&
    whole[field.start - 1] === ' ' &&
    isNamedByWords(text) &&
    !ofElement(field, whole) &&
    !SETTING.test(text)
  )
    return
  // a turn of a conversation: "user: here are the …"
  if (
    !field.quoted &&
    field.style === 'assign' &&
    /^(?:user|usuario|utilisateur)$/.test(field.phrase) &&
    /^ \p{Ll}+ \p{L}+/u.test(whole.slice(field.end, field.end + 40))
  )
    return
  const decoded =
    field.style === 'assign' && /^[A-Za-z0-9+/]{8,60}={0,2}$/.test(text) && text.length % 4 === 0
      ? Buffer.from(text, 'base64').toString('latin1')
      : ''
  if (/^[a-z][\w.@-]{3,40}$/.test(decoded) && isUser(decoded) && (text.endsWith('=') || /[_.-]|\d$/.test(decoded)))
    return report('username', 'base64', field.start, field.end, 0.75)
  if (!field.quoted && /(?:\bto\s|(?:self|this)\.\w{1,30}\s?=\s?|_handle\s?=\s?)$/.test(sliceAt(whole, field.start - 40, field.start)))
    return
  const start = field.end - text.length
  if (
    !/^[\p{L}][\p{L}\p{N}._-]{1,31}$/u.test(text) ||
    !isUser(text) ||
    (isCode(field) && !/^[a-z]{1,20}\.[a-z]{2,20}$/.test(text) && !(ofElement(field, whole) && /^[a-z]{3,20}\.[a-z]$/.test(text)))
  )
    return
  if (!field.quoted && isPlainWord(text)) {
    // words of a sentence, `'--user' install`, `username = prefix` inside a block
    if (field.style === 'prose' || /^ \p{Ll}{2,}(?:[ ,.]|$)/u.test(whole.slice(field.end, field.end + 24))) return
    const before = sliceAt(whole, field.start - 60, field.start)
    if (/--[\w-]+["'\x60] $|(?:^|\n)[ \t]+[\w.]+ = $/.test(before)) return
  }
  if (!field.quoted && /^[a-z]+(?:_[a-z]+){2,}$/.test(text) && /=>? $/.test(sliceAt(whole, field.start - 3, field.start))) return
  const isClearLabel =
    /name|login|nutzer|utilisateur|usuario|utente|usuário|utilizador|gebruiker|identifiant|ssh|db|pg|git|admin ?user|(?:smtp|mail|ftp|proxy|service|ldap|bind|auth|http|vpn|root|master|basic auth) user/.test(
      field.phrase,
    ) || field.before.some((word) => /db|ssh|git|remote|os|unix|linux|ansible|ldap/.test(word))
  if (field.style === 'prose' && !field.quoted) {
    const hasAction =
      /\b(?:for|by|of|invalid|unknown|from|as) user $/i.test(sliceAt(whole, field.start - 20, field.start)) ||
      /^ (?:from \d|logged|authenticated|connected|failed|denied)/.test(whole.slice(field.end, field.end + 16))
    if (
      !((isClearLabel || (hasAction && /[\d._-]/.test(text))) && /[\d._-]|^[a-z]+$/.test(text)) ||
      /^(?:always|never|now|still|only|also|then|either|usually|and|or|is|not|for|field|must|should|to|in|of|with|from|on|does|exists|taken|cannot|can|will|has|as|was|does|input|at|by|the|that|if)$/i.test(
        text,
      )
    )
      return
  }
  if (!field.quoted && field.style === 'assign' && TYPED_CODE.test(text)) return
  if (field.quoted && /\?\s?["']\w+["']\s?:\s?["']$/.test(sliceAt(whole, field.start - 40, field.start))) return // a choice of two words
  if (!isClearLabel && field.style !== 'prose' && (field.style === 'call' || /^[A-Z][a-z]+$/.test(text) || !field.identifier)) return
  if (
    !field.quoted &&
    field.style === 'assign' &&
    /^[a-z]+[A-Z]|^(?:string|str|text|varchar|int|props|data|await|new|None|serializers?|models?|field|required|active)$/.test(text)
  )
    return
  report('username', 'label', start, field.end, isClearLabel ? 0.8 : 0.6)
}

export const hostname: Check = (field, report, whole) => {
  const match = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*(?=$|[:/\s])/i.exec(field.text)
  if (match === null || /^\d+(?:\.\d+)*$/.test(match[0]) || !isHost(match[0])) return
  const host = match[0]
  if (NAMED_MACHINE.test(field.phrase) && isChosenName(host, field))
    return report('hostname', 'label', field.start, field.start + host.length, 0.7)
  if (isInternalHost(host)) report('hostname', 'label', field.start, field.start + host.length, 0.85)
  else if (isMachine(host) && field.style !== 'compare')
    report('hostname', 'label', field.start, field.start + host.length, field.style === 'prose' ? 0.65 : 0.75)
  else if (
    field.style === 'flag' &&
    field.phrase.endsWith('name') &&
    !/["'`]\s$/.test(sliceAt(whole, field.start - 2, field.start)) &&
    /^[a-z][a-z0-9-]{4,40}$/.test(host) &&
    !host.split('-').every(isOrdinaryWord) &&
    !isOrdinaryWord(host)
  )
    report('hostname', 'label', field.start, field.start + host.length, 0.65)
  else if (
    !host.includes('.') &&
    (/name|rechner|machine|computer|hôte|bastion|jump/.test(field.phrase) || field.style === 'env') &&
    /-|\d|^[a-z]+$/i.test(host) &&
    (/\d/.test(host) || (field.style === 'env' && host.includes('-'))) &&
    field.style !== 'prose' &&
    field.style !== 'compare'
  )
    report('hostname', 'label', field.start, field.start + host.length, 0.65)
}

/** Labels used only for hosts. */
const NAMED_MACHINE = /host ?name$|computer ?name|machine ?name|device ?name|node ?name|rechnername|nom d'hôte|fqdn|^host$|^server$|^box$/
/** Whether a person chose the host name: `lenovo-anna`, `hermes-02`, `marvin.lab.uni-x.de`; no service or product. */
function isChosenName(host: string, field: Field): boolean {
  const labels = host.split('.')
  if (field.style === 'compare' || field.style === 'call') return false
  if (labels.length > 3) return isMachine(host) || (field.style !== 'flag' && !isPublicName(host))
  if (labels.length > 1) return false
  const parts = host.split('-')
  const hasUncommonPart = parts.some(
    (part) => part.length > 2 && /^\p{L}+\d{0,4}$/u.test(part) && !isOrdinaryWord(part.replace(/\d+$/, '').toLowerCase()),
  )
  if (/^(?:host|server|box)$/.test(field.phrase)) return field.style !== 'prose' && hasUncommonPart && /[a-z]-?\d{1,4}$/i.test(host)
  if (field.style === 'prose') return hasUncommonPart && parts.length > 1 && /\d|^[A-Z-]+$/.test(host)
  return hasUncommonPart && (parts.length > 1 || host.length > 4)
}

const isPlainWord = (text: string) => /^[a-z]+$/.test(text) && isOrdinaryWord(text) && !isGivenName(text)
/** Names of service accounts. */
const SETTING =
  /[_.](?:app|api|admin|user|svc|service|ro|rw|reader|writer|owner|bot|ci|prod|dev|staging|read|write)$|^(?:svc|app|api|ci|db|admin|user)[_.]/
/** Whether the value is in an element or a query: `<user>…</user>`, `?user=…&`. */
const ofElement = (field: Field, text: string) =>
  (text[field.start - 1] === '>' && text.startsWith('</', field.end)) ||
  (text[field.start - 1] === '=' && /[?&]\w+=$/.test(sliceAt(text, field.start - 20, field.start)))

/** Types and variables of a language, not users. */
const TYPED_CODE =
  /^(?:[A-Z][a-z\d]+){2,}$|^[A-Z]+[a-z]+(?:[A-Z]+[a-z]*)+$|^(?:number|boolean|bool|void|never|symbol|bigint|char|byte|float|double|long|list|dict|tuple|set|map|array|function|callable|type|class|object|any|unknown|async|await|maybe_\w+|\w+_(?:id|name|handle|user|token|key|type|class|model|obj|object|value))$/
