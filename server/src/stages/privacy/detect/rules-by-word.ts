import { lookup } from '#contracts/lookup.ts'
import { signedInAt } from './system-accounts.ts'
import { callAt, CALLS, jwkAt, puttyAt, vendorAt, VENDORS } from './secrets-in-calls.ts'
import { COMMAND_FORMS, commandFormAt } from './command-forms.ts'
import { COLUMN_WORDS, columnAt } from './listing-columns.ts'
import { headerTokenAt, HEADER_WORDS } from './header-tokens.ts'
import { LOGIN_WORDS, loginPairAt } from './login-pairs.ts'
import { netrcAt } from './netrc.ts'
import { CLINIC, clinicalAt, NAMED_CONDITIONS } from './medical-conditions.ts'
import { patientAt } from './hl7.ts'
import { homeFolder, internalName } from './hosts.ts'
import { LAST_WORDS } from './labels.ts'
import { machineNamedAt, sshdAt, syslogAt, unameAt, userAt } from './log-lines.ts'
import { accountAt, commandAt, cookieAt, countedAt, creditAt, labelAt, type WordRule, pairAt } from './word-rules.ts'
import { MACHINE_WORDS } from './machine-names.ts'
import { printedAt, PRINTERS } from './command-output.ts'
import { greeting, introduction, signature, title } from './introduced-people.ts'
import { livesIn } from './cities.ts'
import { boxAt, STREET_AFTER, STREET_BEFORE, streetAfter, streetBefore } from './streets.ts'
import { schemeAt } from './secret-formats.ts'
import { copyAt, insertAt } from './tables.ts'
import { SECRET_WORDS, secretInSentenceAt } from './secret-in-sentence.ts'
import { NUMBER_WORDS, proseNumberAt } from './number-in-sentence.ts'
import { codeAt } from './urls.ts'
import type { Report } from './types.ts'
import { BEFORE_USERS, userNamedAt } from './users-in-messages.ts'
import { cardAt, directoryAt } from './vcard.ts'
import { WordTable } from './word-table.ts'

/** The rules of a word, in order: some apply anywhere, some only when the word is not part of an identifier. */
interface RulesOfWord {
  anywhere: readonly WordRule[]
  alone: readonly WordRule[]
}

export const RULES_BY_WORD = new WordTable<RulesOfWord>()
const add = (words: Iterable<string>, rulesOf: (word: string) => RulesOfWord) => {
  for (const word of words)
    RULES_BY_WORD.add(word, rulesOf(word), (old, rules) => ({
      anywhere: [...old.anywhere, ...rules.anywhere],
      alone: [...old.alone, ...rules.alone],
    }))
}
const anywhere = (words: Iterable<string>, ruleOf: (word: string) => WordRule) =>
  add(words, (word) => ({ anywhere: [ruleOf(word)], alone: [] }))
const alone = (words: Iterable<string>, ruleOf: (word: string) => WordRule) =>
  add(words, (word) => ({ anywhere: [], alone: [ruleOf(word)] }))
const split = (words: string) => words.split(' ')

/** Rules that get the word, its start or its end; with `next`, only if one of these characters follows the word. */
const when = (next: string, apply: (text: string, start: number, end: number, report: Report) => void): (() => WordRule) => {
  const codes = Array.from(next, (sign) => sign.charCodeAt(0))
  return () => (text, start, end, code, report) => {
    if (codes.length === 0 || codes.includes(code)) apply(text, start, end, report)
  }
}
const whole = (next: string, rule: (text: string, start: number, end: number, report: Report) => unknown) =>
  when(next, (text, start, end, report) => void rule(text, start, end, report))
const fromStart = (next: string, rule: (text: string, start: number, report: Report) => unknown) =>
  when(next, (text, start, _end, report) => void rule(text, start, report))
const fromEnd = (next: string, rule: (text: string, end: number, report: Report) => unknown) =>
  when(next, (text, _start, end, report) => void rule(text, end, report))

/** The sweep does not lower-case letters beyond Latin-1, so words with one are added in both cases. */
const cased = (word: string) =>
  /[\u0100-\uFFFF]/.test(word)
    ? [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)].map((one) =>
        one.replaceAll(/[A-Z\u00C0-\u00DE]/g, (letter) => letter.toLowerCase()),
      )
    : [word]

const LABELS = new Set([...LAST_WORDS].flatMap((word) => cased(word.split(/[’']/).at(-1)!)))
anywhere(LABELS, () => labelAt)
const NUMBERED = new Set([
  ...split(
    'member group policy chart permis licence license patient subscriber insured certificate konto compte cuenta conto account passport passeport pasaporte',
  ),
  ...NUMBER_WORDS.keys(),
])
anywhere(
  [...NUMBERED].filter((word) => !LABELS.has(word)),
  () => countedAt,
)
anywhere(['home', 'users'], whole('', homeFolder))
anywhere(['bearer', 'basic', 'token', 'apikey'], (word) => (text, _start, end, _next, report) => schemeAt(text, word, end, report))
anywhere(['cookie', 'cookies'], () => cookieAt)
anywhere(['pwd', 'password', 'key', 'accountkey', 'accesskey', 'signature'], pairAt)
anywhere(CALLS, (word) => (text, _start, end, _next, report) => callAt(text, end, word, report))
anywhere(VENDORS, whole('', vendorAt))
anywhere(['code'], whole('=', codeAt))

anywhere(HEADER_WORDS, () => (text, start, end, next, report) => {
  if (text.charCodeAt(start - 1) === 45 || (text.charCodeAt(start) | 32) === 97) headerTokenAt(text, start, end, report)
})

const GREETINGS = split(
  'hi hello hey dear hallo liebe lieber geehrte geehrter bonjour salut cher chère chere hola estimado estimada querido querida ciao gentile caro cara salve olá ola prezado prezada caro beste geachte hoi hej hei ahoj witam morning afternoon evening thanks thank danke merci gracias grazie obrigado bedankt',
)
alone(GREETINGS, whole(' ,.', greeting))
const TITLES = split(
  'mr mrs ms dr prof herr herrn frau mme mlle monsieur madame m sr sra srta señor señora senhor senhora sig signor signora dott dhr mevr mevrouw meneer',
)
alone(TITLES, whole(' ,.', title))
const INTRODUCTIONS = split(
  'is am m pt ist heiße heisse bin appelle suis llamo soy chiamo sono chamo me sou é heet ben named called patient customer employee colleague with to manager contact caller client guest tenant passenger nurse student for from ask told met',
)
alone(INTRODUCTIONS, whole(' ', introduction))
const SIGNATURES = split(
  'regards wishes sincerely yours cheers thanks best grüßen grüße gruß cordialement salutations saludos atentamente saluti cordiali cumprimentos groet groeten respectfully',
)
alone(SIGNATURES, fromEnd('', signature))
alone(['author', 'by', 'name'], creditAt)
alone(STREET_AFTER, () => (text, start, end, _next, report) => {
  if (text.charCodeAt(start - 1) === 32) streetAfter(text, start, end, report)
})
const COMMON = new Set(['am', 'an', 'auf', 'im', 'in', 'unter', 'zum', 'zur'])
alone(STREET_BEFORE, (word) => {
  const isCommon = COMMON.has(word)
  return (text, start, end, next, report) => {
    if ((next === 32 || next === 46) && (!isCommon || text.charCodeAt(start) < 97)) streetBefore(text, start, end, report)
  }
})
alone(NUMBERED, whole('', proseNumberAt))
alone(
  split('box interne interno interna lokal homelab intra private localnet priv ad internal intern intranet lan corp local consul arpa'),
  whole('', internalName),
)
alone(['accepted', 'failed', 'invalid', 'session', 'disconnected'], fromStart('', sshdAt))
alone(split('jan feb mar apr may jun jul aug sep oct nov dec'), fromStart(' ', syslogAt))
alone(['linux', 'darwin'], fromEnd(' ', unameAt))
alone(split('lives living lived based moved resides wohnt habite vive woont abita mora'), fromEnd(' ', livesIn))
alone(['private', 'kty'], () => (text, start, end, next, report) => {
  if (next === 45) puttyAt(text, end, report)
  else if (next === 34) jwkAt(text, start, report)
})
alone(SECRET_WORDS.keys(), whole('', secretInSentenceAt))
alone(COMMAND_FORMS.keys(), commandFormAt)
alone(new Set([...CLINIC, ...NAMED_CONDITIONS]), whole('', clinicalAt))
const KINDS_OF_MACHINE = new Set(
  'hostname uname desktop laptop host server node machine box vm instance workstation bastion agent runner reboot restart rebooting printer pc serveur servidor rechner maschine nas drucker'.split(
    ' ',
  ),
)
alone(
  new Set([...split('cn uid user assumed desktop win pts tty whoami hostname uname'), ...KINDS_OF_MACHINE, ...MACHINE_WORDS]),
  () => accountAt,
)
alone(KINDS_OF_MACHINE, whole(' ', machineNamedAt))
/** What follows a common word when it is a command. */
const PRINTING: Readonly<Record<string, string>> = lookup({ pass: 'show', op: 'read', config: 'get ' })
alone(PRINTERS, (word) => {
  const then = PRINTING[word] ?? ''
  return (text, start, end, next, report) => {
    if (next === 32 && text.startsWith(then, end + 1)) printedAt(text, start, report)
  }
})
alone(
  split('log logging logged signed authenticated switched welcome active login connected acting impersonating logon'),
  fromStart(' ', signedInAt),
)
alone(new Set(['user', 'account', ...BEFORE_USERS]), (word) => (text, start, end, next, report) => {
  if (!(next === 32 || next === 61 || next === 58)) return
  userNamedAt(text, start, end, report)
  if (next === 32 && (word === 'user' || word === 'account')) userAt(text, start, end, report)
})
alone(split('box postfach postbus apartado casilla blk'), whole('', boxAt))
alone(split('chown su sudo doas smbpasswd useradd adduser usermod passwd finger userdel whoami'), commandAt)
alone(COLUMN_WORDS, fromStart('', columnAt))
alone(['into'], fromStart(' ', insertAt))
alone(['copy'], fromStart(' ', copyAt))
alone(['begin'], fromStart(':', cardAt))
alone(['dn'], fromStart(':', directoryAt))
alone(['machine'], fromEnd(' \t', netrcAt))
alone(new Set(LOGIN_WORDS), fromEnd(' :', loginPairAt))
alone(['pid'], fromStart('|', patientAt))
