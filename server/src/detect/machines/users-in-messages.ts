import { isNamedByWords } from '../expressions.ts'
import { isUser } from './hosts.ts'
import { lineStart } from '../lines.ts'
import { isGivenName, isOrdinaryWord } from '../people/names.ts'
import type { Report } from '../types.ts'
import { matchAt } from '../match-at.ts'

/** Accounts in messages, code and sentences. */

/** Words before an account's name. */
export const ACCOUNT_WORDS =
  'user role login account username benutzer benutzername usuario usuário utilisateur utente gebruiker użytkownik brukeren användaren kullanıcı owner to for by as dla member handle admin principal impersonating nutzer kennung identifiant konto setuser credentials linger db'.split(
    ' ',
  )

/** A name in quotes after an account word, as in messages of databases and servers: `for user 'x'@'host'`, `role "x"`. */
const QUOTED = /(?: (?:for|of|by|to|as))?(?: user| role| account| login)?[ =:]{1,2}["'\x60]([A-Za-z][\w.-]{1,39})["'\x60](?=[@\s,.;:)]|$)/iy
const ACCOUNT_HINTS = /(?:user|role|login|account|owner|principal|benutzer|usuario|utilisateur)\b/i
/** Phrases about an account after its name. */
const ACCOUNT_EVENT =
  /^(?: not found| (?:is|was) (?:expired|inactive|missing|over|already)|["'\x60]?@["'\x60]|,?["'\x60»]? ?(?:\(|can['’]?t\b|can ?not\b|could ?n['’]t|cannot|is (?:locked|blocked|disabled|suspended|not |unable|missing|logged|the owner|banned)|was (?:locked|blocked|removed|deleted|created|added|banned|logged)|has (?:no|been|access|logged|the|admin)|got |does(?:n['’]t| not)|logged|failed|denied|locked|authenticated|connected|signed|from \d|with (?:pass|pw|uid|role)|mit Passwort|ist (?:gesperrt|nicht|angemeldet)|hat (?:keine|sich)|wurde |kann |no (?:puede|tiene|existe|pode|tem)|está |bloque|ne peut|n['’]a |est (?:bloqué|verrouillé)|è (?:bloccato|disabilitato)|non (?:può|ha)|is niet|heeft |on \S+ (?:with|using)|exists|does|to sudoers|joined|left the|pushed|opened|commented|merged|approved|requested|assigned))/i
/** Ends of sentences, lines and clauses. */
const ENDS = /^["'\x60»]?(?:[,;)]|[.!?](?:\s|$)|\s*(?:\r?\n|$))/
const NOBODY =
  /^(?:the|a|an|my|your|our|his|her|this|that|all|each|every|any|no|not|is|was|be|are|in|on|at|of|to|for|by|as|and|or|with|from|name|names|id|ids|input|data|table|agent|account|accounts|profile|session|sessions|object|model|page|pages|input|flow|form|experience|interface|facing|story|stories|who|whose|which|when|if|then|has|can|will|should|must|may|here|there|now|error|defined|level|space|mode|group|groups|type|types|role|roles|access|token|tokens|settings|info|list|agents|based|friendly|readable|specific|provided|message|messages|prompt|prompts|manager|management|service|creation|registration|login|logins|password|event|events|action|actions|test|tests|guide|request|requests|config|feedback|count|balance|number|holder|details|research|needs|says|asked|wants|sees|clicks|types|enters|visits|opens|reports|submits)$/i

/** `login for user "jroe" failed`, "user jroe can't log in", `role "x" does not exist`: a word of BEFORE_USERS from `start` to `end`. */
export function userNamedAt(text: string, start: number, end: number, report: Report): void {
  const word = text.slice(start, end).toLowerCase()
  const weak = WEAK_WORDS.has(word)
  if (/[\w@/\\$.-]/.test(text[start - 1] ?? ' ')) return
  const quoted = matchAt(QUOTED, text, end)
  if (quoted !== null) {
    const name = quoted[1]!
    const at = end + quoted[0].lastIndexOf(name)
    const after = text.slice(at + name.length, at + name.length + 40)
    const hasAccountHint = !weak || ACCOUNT_HINTS.test(quoted[0].slice(0, -name.length))
    const host = /^["'\x60]@["'\x60]/.test(after)
    if (!host && (!hasAccountHint || text[end] === '=' || text[end] === ':')) return
    const line = text.slice(lineStart(text, start, 120), start)
    if (!host && !MESSAGE.test(`${line} ${after}`)) return
    if (isAccount(name)) report('username', 'message', at, at + name.length, 0.75)
    return
  }
  if (weak || text.charCodeAt(end) !== 32) return
  const plain = matchAt(PLAIN, text, end)
  if (plain === null) return
  const name = plain[1]!.replace(/[.-]+$/, '')
  const at = end + 1
  const after = text.slice(at + name.length, at + name.length + 40)
  if (NOBODY.test(name) || !isAccount(name) || /^\w+\.(?:js|ts|py|md|json|ya?ml|go|rs|com|org|net|io|name|id|email)$/i.test(name)) return
  const hasUncommonPart = name.split(/[._-]/).some((part) => part.length > 3 && !isOrdinaryWord(part.replace(/\d+$/, '')))
  const looksLikeAccount = /\d|_/.test(name) || (hasUncommonPart && /[a-z][._-][a-z]/.test(name))
  const isCoined = /^[a-z]{4,20}$/.test(name) && !isOrdinaryWord(name) && !isOrdinaryWord(name.replace(/(?:s|es|ed|ing)$/, ''))
  if (/^[\s]*[=({[]|^['’]s\b/.test(after) && !looksLikeAccount) return
  if (
    ACCOUNT_EVENT.test(after)
      ? looksLikeAccount || isCoined
      : ENDS.test(after) &&
        (looksLikeAccount
          ? CLEAR_WORDS.test(word)
          : isCoined && CLEAR_WORDS.test(word) && /, $|^$|\n$/.test(text.slice(Math.max(0, start - 2), start)))
  )
    report('username', 'message', at, at + name.length, 0.65)
  else if (looksLikeAccount && hasUncommonPart && CLEAR_WORDS.test(word) && /^ \p{Ll}/u.test(after))
    report('username', 'message', at, at + name.length, 0.6)
}
const WEAK_WORDS = new Set(
  'to for by as dla member admin owner db konto principal linger credentials setuser impersonating handle'.split(' '),
)
const CLEAR_WORDS =
  /^(?:user|login|username|benutzer|benutzername|usuario|usuário|utilisateur|utente|gebruiker|użytkownik|nutzer|kennung|identifiant|kullanıcı|account)$/
const PLAIN = / ([A-Za-z][\w.-]{2,39})(?![\w@/\\$:=([{<>+*])/y
/** Words that show that a line is a message of a server. */
const MESSAGE =
  /denied|fail|fatal|error|not exist|exists|invalid|unknown|refused|locked|reject|permission|grant|revoke|owner|auth|login|logged|session|password|created|dropped|privilege|no such|can['’]?t|cannot|blocked|disabled|missing/i

const isAccount = (name: string) => isUser(name) && !NOBODY.test(name) && !/^[A-Z][a-z]+[A-Z]|^[a-z]+[A-Z]|^[A-Z_]+_[A-Z_]+$/.test(name)

/** `TODO(jroe):`, the bracket at `at`. */
const TODO_AUTHOR = /\((@?[a-z][\w.-]{1,30})\)/y
export function todoAuthorAt(text: string, at: number, report: Report): void {
  if (!/(?:^|[\s/#*;'"-])(?:TODO|FIXME|XXX|HACK|NOTE|BUG|REVIEW|WIP)$/.test(text.slice(Math.max(0, at - 8), at))) return
  const name = matchAt(TODO_AUTHOR, text, at)?.[1]?.replace('@', '')
  if (
    name === undefined ||
    !isAccount(name) ||
    (isOrdinaryWord(name) && !isGivenName(name)) ||
    isNamedByWords(name) ||
    /^[a-z]{2,8}-?\d+$/.test(name)
  )
    return
  const from = at + 1 + (text[at + 1] === '@' ? 1 : 0)
  report('username', 'marked', from, from + name.length, 0.65)
}

/** Whether a value after a label for people is an account, not a name: `assignee: jroe`, `created_by: "mkoch7"`. */
export const isHandle = (text: string) =>
  /^@?[a-z][a-z0-9]*(?:[._-][a-z0-9]+){0,2}$/.test(text) &&
  text.length >= 4 &&
  text.length <= 30 &&
  isUser(text.replace('@', '')) &&
  !isOrdinaryWord(text.replace('@', '')) &&
  !text.split(/[._-]/).every((part) => isOrdinaryWord(part) || part.length < 3) &&
  !/^un\w+ed$|^(?:nobody|noone|everyone|tbd)$|-\d$/.test(text) &&
  !/(?:^|[._-])(?:bot|system|service|team|admin|user|users|ci|automation|app|actions?|null|none|id|key)$/.test(text)

/** Reports an account before a possessive "'s": "mrodriguez2's projects". */
export function possessiveAt(text: string, start: number, end: number, report: Report): void {
  const name = text.slice(start, end)
  if (!text.startsWith("'s ", end) || /[\w@/\\$.-]/.test(text[start - 1] ?? ' ') || !/^[a-z]{6,}\d{1,4}$/.test(name)) return
  if (isUser(name) && !isOrdinaryWord(name.replace(/\d+$/, ''))) report('username', 'owned', start, end, 0.55)
}
