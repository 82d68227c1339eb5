import { isMember, isTypeName } from '../expressions.ts'
import { isUser } from '../machines/hosts.ts'
import { isOrdinaryWord } from '../people/names.ts'
import { isPlaceholder } from './placeholders.ts'
import { isCoinedPhrase, isEvidentPassword, looksLikePassword, looksLikeSecret, UUID } from './secret-values.ts'
import type { Report } from '../types.ts'

/** Secrets in sentences: a keyword, a few plain words, then a value that is no word. */

type SecretKind = 'password' | 'api_key' | 'auth_token' | 'secret' | 'opened'

const WORDS: Record<SecretKind, string> = {
  password: `password passwords passwd pwd pw pass passcode passphrase passwrd pswd requirepass masterauth mdp kodeord hesla hasła passwort passwörter kennwort kenwort zugangscode contraseña contrasena clave
    senha palavra-passe wachtwoord hasło haslo heslo jelszó lösenord lösenordet adgangskode adgangskoden passord passordet salasana salasanan hasłem heslem jelszava wachtwoorden parola parolă şifre sifre lozinka geslo slaptažodis parool sandi
    пароль Пароль пароля паролем гасло κωδικός 密码 密碼 口令 パスワード 비밀번호 passe`,
  api_key: 'apikey key keys schlüssel clef clé llave chave sleutel klucz',
  auth_token: 'token tokens bearer jwt pat jeton cookie',
  secret: 'secret secrets seed salt pepper geheimnis secreto segreto segredo license licence serial credential credentials',
  opened:
    'unsealed unseal unlocked unlock encrypted encrypt decrypted decrypt signed authenticated authenticate authenticating entsperrt verschlüsselt',
}
export const SECRET_WORDS = new Map<string, SecretKind>()
for (const [kind, words] of Object.entries(WORDS)) for (const word of words.split(/\s+/)) SECRET_WORDS.set(word, kind as SecretKind)

/** Words that connect a value to the words before it. */
const LINKS = new Set(
  `c'est c’est lautet: is: reste sigue remains stays bleibt is was be being to from as now still currently with: = : -> => → <<< ist war lautet noch immer jetzt neu es era sigue siendo sera est était reste back é è foi era ainda is: nog zijn to: jest to je to är er on nyt bin
  using use via auf à a set`.split(/\s+/),
)
const PLAIN =
  /^[A-Z]+(?:_[A-Z]+)+$|^[\p{L}\p{M}][\p{L}\p{M}'’-]*[,:=：]?$|^\d{1,2}[:：]?$|^\[[\w ]{0,12}\]:?$|^\([^()\s]{0,24}\)?[:,]?$|^[^()\s]{1,24}\)[:,]?$/u
const SIGN = /^(?:[:=：–—→«„“]|->|=>|<<<)$/
const CONTINUES = /^\s?(?:,|and|to|or|&|\/|und|oder|et|y|e|o|en|of|a|zu|auf)\s/i
/** A second value in brackets: "(old one: …)". */
const OTHER_VALUE =
  /^[.,]?\s\((?:the )?(?:old|previous|former|formerly|previously|was|before|backup|new|alt|vorher|früher|bisher|antes|anterior|avant|ancien|prima|oud|gammal)[^():\n]{0,16}[: ]\s?["'`]?([^\s"'`)]{6,64})/i
/** The file, account or address in a prompt: "for key '/home/…/id_rsa':". */
const PROMPT_TARGET = /^(?:['"`][^\s'"`]{2,100}['"`]|[\w.-]+@[\w.-]+(?:['’]s)?|(?:~|\/)[\w./~-]{2,80}|https?:\/\/\S{3,80}?)[:：]$/
const QUOTES = /^["'`“”‘„«]/
/** Limits on the plain words between the keyword and its value. */
const MAX_WORDS = 9
const MAX_CHARS = 200

/** Reports the value after a keyword on the rest of the line, or before "as the password". */
export function secretInSentenceAt(text: string, start: number, end: number, report: Report): void {
  const next = text.charCodeAt(end)
  let at = (next === 39 || next === 0x2019) && text.startsWith('s ', end + 1) ? end + 2 : end
  const hasDigitAhead = text.charCodeAt(at) === 32 && hasFigure(text, at)
  if (!hasDigitAhead && text.charCodeAt(start - 1) !== 32) return
  let kind = SECRET_WORDS.get(text.slice(start, end).toLowerCase())
  if (kind === undefined) return
  const hasPhraseBefore =
    (kind === 'password' || kind === 'api_key') &&
    text.charCodeAt(start - 1) === 32 &&
    AS_OR_FOR.test(text.slice(Math.max(0, start - 56), start))
  if (!hasDigitAhead && !hasPhraseBefore) return
  if (kind === 'api_key' && WIRELESS.test(text.slice(Math.max(0, start - 14), start))) kind = 'password'
  if (hasPhraseBefore && kind === 'password') passwordBefore(text, start, report)
  if (!hasDigitAhead) return
  if ((kind === 'api_key' || kind === 'secret') && PUBLIC_KEY.test(text.slice(Math.max(0, start - 24), start))) return
  if (OTHER_NOUN.test(text.slice(at, at + 14))) return
  let linked = false
  let count = 0
  let isContinued = false
  let rounds = 0
  for (let words = 0; words <= MAX_WORDS && at < end + MAX_CHARS; words += 1) {
    while (text.charCodeAt(at) === 32) at += 1
    const token = tokenAt(text, at)
    if (token === '') return
    if ((token.length < 26 && (PLAIN.test(token) || SIGN.test(token))) || PROMPT_TARGET.test(token)) {
      if (count > 0 && !isContinued && !CONTINUES.test(`${token} `)) return
      if (isContinued && count > 0) rounds += 1
      if (rounds > 6) return
      isContinued = true
      linked = LINKS.has(token.toLowerCase()) || /[:=：]$/.test(token) || SIGN.test(token)
      at += token.length
      continue
    }
    // an account between the word and its value
    if (ACCOUNT.test(token) && count === 0 && words < 6) {
      linked = false
      at += token.length
      continue
    }
    const value = valueIn(token)
    const near = linked || words < 2 || count > 0
    if (value === null || !isSecret(value.text, kind, linked, near)) return
    const from = at + value.at
    report(kind === 'opened' ? 'secret' : kind, 'sentence', from, from + value.text.length, linked ? 0.75 : 0.65)
    if (kind === 'password' && count === 0) userBefore(text, start, report)
    count += 1
    isContinued = false
    at = from + value.text.length
    const other = kind === 'password' ? OTHER_VALUE.exec(text.slice(at, at + 100)) : null
    if (other !== null && isSecret(other[1]!, kind, true, true)) {
      const place = at + other[0].length - other[1]!.length
      report('password', 'sentence', place, place + other[1]!.length, 0.7)
    }
    if (kind === 'password') userAfter(text, at, report)
    while (/["'`”’“»,]/.test(text[at] ?? '')) at += 1
    if (count === 4 || !CONTINUES.test(text.slice(at, at + 6))) return
  }
}

const ACCOUNT = /^[a-z]{2,16}[._][a-z]{2,16}(?:['’]s)?$/
const WIRELESS = /\b(?:wi-?fi|wlan|network|wpa2?|router|hotspot|ssid|keypad|vault|door)[ -]$/i
const USER_AFTER =
  /^["'`”’»)]?[.,;]?(?: [\p{L}'’-]{1,12}){0,3}? (?:(?:the |my |el |le |o |der |die |de )?(?:user(?:name| name)?|usr|login|account|benutzer(?:name)?|usuario|usuário|identifiant|utilisateur|utente|gebruiker(?:snaam)?|käyttäjä(?:tunnus)?|bruker(?:navn)?|użytkownik|login name|kullanıcı(?: adı)?)|l['’](?:identifiant|utilisateur))(?: is| ist| est| es| è| é|:| =)? ["'`«]?\s?([A-Za-z][\w.-]{2,39})(?![\w@(])/iu
/** "…, user jroe": the name after a password that ends at `end`. */
function userAfter(text: string, end: number, report: Report): void {
  const match = USER_AFTER.exec(text.slice(end, end + 90).split('\n', 1)[0]!)
  if (match === null) return
  const name = match[1]!.replace(/[.-]+$/, '')
  if (!isUser(name) || NOBODY.test(name) || isTypeName(name) || isMember(name)) return
  const at = end + match[0].length - match[1]!.length
  report('username', 'sentence', at, at + name.length, 0.7)
}
const NOBODY =
  /^(?:when|whenever|once|before|after|who|whose|that|which|where|while|with|and|the|as|is|in|by|for|a|to|on|from|has|using|password|name|your|my|or|not|via|page|form|failed|stays?|remains?|unchanged|same|est|ist|was|will|can|should|still|works?|login|locked|gets?|must)$/i

/** Whether the rest of the sentence contains a digit, as every value does. */
function hasFigure(text: string, from: number): boolean {
  const limit = Math.min(text.length, from + MAX_CHARS)
  for (let at = from; at < limit; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) return true
    if (code === 40 && text.charCodeAt(at - 1) > 32) return false // a call
    if (code === 10 || code === 59 || code === 123 || code === 125 || (code === 46 && text.charCodeAt(at + 1) === 32)) return false
  }
  return false
}

/** "password policy", "token limit": nouns that make the keyword part of another term. */
const OTHER_NOUN =
  /^ (?:manager|polic|fields?\b|hash|strength|length|min|max|file|prompt|page|form\b|valid|rules?\b|types?\b|stor|generat|format|limit|count|bucket|usage|budget|pair|rotation|vault|encod)/i
/** Keys that are not secret: of tables, maps and keyboards, or public. */
const PUBLIC_KEY =
  /(?:cache|primary|foreign|sort|partition|public|index|object|row|hash|idempotency|lookup|unique|document|item|map|dedup(?:lication)?|react|query|storage|block|translation|i18n|config|json|yaml|host|order|random)[ _-]$/i

const tokenAt = (text: string, at: number) => {
  let end = at
  const limit = Math.min(text.length, at + 240)
  while (end < limit && text.charCodeAt(end) > 32) end += 1
  return text.slice(at, end)
}

/** A word without surrounding quotes and punctuation. */
function valueIn(token: string): { text: string; at: number } | null {
  const at = QUOTES.test(token) ? 1 : 0
  const closing = at === 1 ? token.slice(1).search(/["'`“”’»]/) : -1
  const text = closing > 0 ? token.slice(1, 1 + closing) : token.slice(at).replace(/["'`”’»]*[.,;:?)]*["'`”’»]*$/, '')
  return text.length < 5 ? null : { text, at }
}

function isSecret(value: string, kind: SecretKind, linked: boolean, near: boolean): boolean {
  if (NO_VALUE.test(value) || isPlaceholder(value)) return false
  if (kind === 'password')
    return (
      value.length <= 64 &&
      (isEvidentPassword(value) ||
        isNumberedName(value) ||
        ((linked || (near && isAdjacent(value))) &&
          isLikely(value) &&
          (looksLikePassword(value, { quoted: false, firm: true }) || isCoinedPhrase(value))))
    )
  if (UUID.test(value)) return kind === 'auth_token' && near
  if (/^(?=.*[2-7])[A-Z2-7]{16,64}$/.test(value)) return near && kind === 'secret'
  if (!near || !/\d/.test(value) || /^[0-9a-f]{1,31}$/.test(value)) return false
  if (/^(?:[A-Z\d]{4,8}-){2,7}[A-Z\d]{4,8}$/.test(value)) return kind === 'secret' && /[A-Z]/.test(value)
  return value.length >= 18 && looksLikeSecret(value, { quoted: true, uuid: false, least: 18 })
}
/** Whether a value is an uncommon word, a symbol and a number: `Guadalquivir_92`. */
function isNumberedName(value: string): boolean {
  const word = /^(\p{Lu}\p{Ll}{5,})[_.!#*-]\d{2,4}[!?#*]?$/u.exec(value)?.[1]
  return word !== undefined && !isOrdinaryWord(word.toLowerCase())
}
/** Code, paths, links, addresses, templates. */
const NO_VALUE =
  /^(?:argon2|bcrypt|scrypt|pbkdf2|sha-?\d|md5|aes|rsa|ed25519|[hrep]s\d{3}$|utf|base\d\d|oauth|ipv|win|x\d\d)|^\d?password|[(){}[\]<>"'`|\\]|^[$%./@#~-]|:\/\/|&&|!=|==|->|^\w+@[\w-]+\.\w+|^--|=["']?\$|^[a-z_]+=|\.(?:ts|js|py|md|json|ya?ml|txt|go|rs|sh|env)$/i
/** Letters with a digit, but no numbered word, size, or count with a unit. */
const isLikely = (value: string) =>
  value.length >= 6 &&
  /\d/.test(value) &&
  /\p{L}/u.test(value) &&
  (!/^\d{1,5}[-.]?\p{Ll}+$|^\p{Ll}+-?\d{1,3}(?:[-_.]\p{Ll}+)*$|^v?\d+(?:\.\d+)+/u.test(value) || isCoined(value))

/** Whether a value is an uncommon word with a number: `heide093`. */
function isCoined(value: string): boolean {
  const word = /^(\p{Ll}{5,})\d{2,4}$/u.exec(value)?.[1]
  return word !== undefined && !isOrdinaryWord(word)
}
/** A value that may follow a keyword directly: letters and at least two digits. */
const isAdjacent = (value: string) =>
  value.length >= 8 && /^\p{L}{4,}[-_.!]?\d{2,6}[!?.#*]?$/u.test(value) && !isOrdinaryWord(value.replace(/[^\p{L}].*$/u, '').toLowerCase())

const AS =
  /(["'`]?)([^\s"'`]{5,64})\1 (?:(?:as|for) (?:[a-z]{1,12} ){0,3}|(?:with [\w ]{1,24}, )?[(]?(?:is|was|ist|est|es|è|é|that['’]?s|that is) (?:still |now |jetzt |noch )?(?:the|my|our|your|das|le|la|il|a|el|het) (?:[A-Za-zäöü-]{1,12} ){0,5})$/
const AS_OR_FOR =
  / (?:as|for) |[ (](?:is|was|ist|est|es|è|é|that['’]?s|that is) (?:still |now |jetzt |noch )?(?:the|my|our|your|das|le|la|il|a|el|het) /
/** "use X as the password". */
function passwordBefore(text: string, start: number, report: Report): void {
  const lead = text.slice(Math.max(0, start - 110), start)
  const match = AS.exec(lead)
  if (
    match === null ||
    NO_VALUE.test(match[2]!) ||
    !(isEvidentPassword(match[2]!) || (match[1] !== '' && isLikely(match[2]!)) || /^(?=.*\p{Lu})\p{L}{4,}[_-]\d{2,}$/u.test(match[2]!))
  )
    return
  const from = start - lead.length + match.index + match[1]!.length
  report('password', 'sentence', from, from + match[2]!.length, 0.7)
}

const USER =
  /\b(?:user(?:name)?|usr|role|login|account|log(?:ged|ging)?[ -]?in|sign(?:ed|ing)?[ -]?in|benutzer|usuario|usuário|utilisateur|utente|utilizador|identifiant|gebruiker|użytkownik|käyttäjä|bruker|kullanıcı)(?:['’]s| is| as| with| name|:)?[ ]{1,2}["'`]?([A-Za-z][\w.@-]{1,39})["'`]?(?:,| -| \/| \|)?(?: (?:and|und|et|y|with|using|via|has|changed|mit|con|avec))?(?: (?:the|a|my|his|her|their|his|new))?(?: [A-Z]{3,8})? $/i
/** "user jroe, password …", "log in as jroe with …": the name before a password whose keyword starts at `start`. */
export function userBefore(text: string, start: number, report: Report): void {
  const lead = text.slice(Math.max(0, start - 90), start)
  const match = USER.exec(lead)
  if (match === null) return
  const name = match[1]!
  if (!isUser(name) || name.includes('@') || NOBODY.test(name) || isTypeName(name) || isMember(name)) return
  const from = start - lead.length + match.index + match[0].lastIndexOf(name)
  report('username', 'sentence', from, from + name.length, 0.75)
}
