import { lookup } from '#contracts/lookup.ts'
import { signedInAt } from './machines/system-accounts.ts'
import { callAt, CALLS, jwkAt, puttyAt, vendorAt, VENDORS } from './secrets/secrets-in-calls.ts'
import { COMMAND_FORMS, commandFormAt } from './machines/command-forms.ts'
import { COLUMN_WORDS, columnAt } from './machines/listing-columns.ts'
import { headerTokenAt, HEADER_WORDS } from './secrets/header-tokens.ts'
import { LOGIN_WORDS, loginPairAt } from './secrets/login-pairs.ts'
import { netrcAt } from './secrets/netrc.ts'
import { CLINIC, clinicalAt, NAMED_CONDITIONS } from './people/medical-conditions.ts'
import { patientAt } from './people/hl7.ts'
import { homeFolder, internalName, settingsFolder } from './machines/hosts.ts'
import { LAST_WORDS } from './labels/labels.ts'
import { machineNamedAt, sshdAt, syslogAt, unameAt, userAt } from './machines/log-lines.ts'
import { accountAt, commandAt, cookieAt, numberedLabelAt, creditAt, labelAt, type WordRule, pairAt } from './word-rules.ts'
import { MACHINE_WORDS } from './machines/machine-names.ts'
import { printedSecretAt, PRINTERS } from './machines/command-output.ts'
import { greetingAt, introductionAt, signatureAt, titleAt } from './people/introduced-people.ts'
import { residenceAt } from './places/cities.ts'
import { boxAt, STREET_AFTER, STREET_BEFORE, streetAfter, streetBefore } from './places/streets.ts'
import { schemeAt } from './secrets/secret-formats.ts'
import { copyAt, insertAt } from './labels/tables.ts'
import { SECRET_WORDS, secretInSentenceAt } from './secrets/secret-in-sentence.ts'
import { NUMBER_WORDS, proseNumberAt } from './people/number-in-sentence.ts'
import { codeAt } from './machines/urls.ts'
import type { Report } from './types.ts'
import { ACCOUNT_WORDS, userNamedAt } from './machines/users-in-messages.ts'
import { cardAt, directoryAt } from './people/vcard.ts'
import { WordTable } from './word-table.ts'

/** The rules of a word, in order. Those in `alone` apply only if the word is not part of an identifier. */
interface RulesOfWord {
  anywhere: readonly WordRule[]
  alone: readonly WordRule[]
}

export const RULES_BY_WORD = new WordTable<RulesOfWord>()
const addRules = (words: Iterable<string>, rulesOf: (word: string) => RulesOfWord) => {
  for (const word of words)
    RULES_BY_WORD.add(word, rulesOf(word), (old, rules) => ({
      anywhere: [...old.anywhere, ...rules.anywhere],
      alone: [...old.alone, ...rules.alone],
    }))
}
const addAnywhere = (words: Iterable<string>, ruleOf: (word: string) => WordRule) =>
  addRules(words, (word) => ({ anywhere: [ruleOf(word)], alone: [] }))
const addAlone = (words: Iterable<string>, ruleOf: (word: string) => WordRule) =>
  addRules(words, (word) => ({ anywhere: [], alone: [ruleOf(word)] }))
const wordsIn = (words: string) => words.split(' ')

/** A rule that applies only if one of these characters follows the word; an empty `next` allows any. */
const ifNext = (next: string, apply: (text: string, start: number, end: number, report: Report) => void): (() => WordRule) => {
  const codes = Array.from(next, (sign) => sign.charCodeAt(0))
  return () => (text, start, end, code, report) => {
    if (codes.length === 0 || codes.includes(code)) apply(text, start, end, report)
  }
}
const fromWord = (next: string, rule: (text: string, start: number, end: number, report: Report) => unknown) =>
  ifNext(next, (text, start, end, report) => void rule(text, start, end, report))
const fromStart = (next: string, rule: (text: string, start: number, report: Report) => unknown) =>
  ifNext(next, (text, start, _end, report) => void rule(text, start, report))
const fromEnd = (next: string, rule: (text: string, end: number, report: Report) => unknown) =>
  ifNext(next, (text, _start, end, report) => void rule(text, end, report))

/** The sweep lower-cases only Latin-1 letters, so words with other letters are added in both cases. */
const inBothCases = (word: string) =>
  /[\u0100-\uFFFF]/.test(word)
    ? [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)].map((one) =>
        one.replaceAll(/[A-Z\u00C0-\u00DE]/g, (letter) => letter.toLowerCase()),
      )
    : [word]

const LABELS = new Set([...LAST_WORDS].flatMap((word) => inBothCases(word.split(/[’']/).at(-1)!)))
addAnywhere(LABELS, () => labelAt)
const NUMBER_LABELS = new Set([
  ...wordsIn(
    'member group policy chart permis licence license patient subscriber insured certificate konto compte cuenta conto account passport passeport pasaporte',
  ),
  ...NUMBER_WORDS.keys(),
])
addAnywhere(
  [...NUMBER_LABELS].filter((word) => !LABELS.has(word)),
  () => numberedLabelAt,
)
addAnywhere(['home', 'users'], fromWord('', homeFolder))
addAnywhere(['settings'], fromWord('\\/', settingsFolder))
addAnywhere(['bearer', 'basic', 'token', 'apikey'], (word) => (text, _start, end, _next, report) => schemeAt(text, word, end, report))
addAnywhere(['cookie', 'cookies'], () => cookieAt)
addAnywhere(['pwd', 'password', 'key', 'accountkey', 'accesskey', 'signature'], pairAt)
addAnywhere(CALLS, (word) => (text, _start, end, _next, report) => callAt(text, end, word, report))
addAnywhere(VENDORS, fromWord('', vendorAt))
addAnywhere(['code'], fromWord('=', codeAt))

addAnywhere(HEADER_WORDS, () => (text, start, end, next, report) => {
  if (text.charCodeAt(start - 1) === 45 || (text.charCodeAt(start) | 32) === 97) headerTokenAt(text, start, end, report)
})

const GREETINGS = wordsIn(
  'hi hello hey dear hallo liebe lieber geehrte geehrter bonjour salut cher chère chere hola estimado estimada querido querida ciao gentile caro cara salve olá ola prezado prezada caro beste geachte hoi hej hei ahoj witam morning afternoon evening thanks thank danke merci gracias grazie obrigado bedankt',
)
addAlone(GREETINGS, fromWord(' ,.', greetingAt))
const TITLES = wordsIn(
  'mr mrs ms dr prof herr herrn frau mme mlle monsieur madame m sr sra srta señor señora senhor senhora sig signor signora dott dhr mevr mevrouw meneer',
)
addAlone(TITLES, fromWord(' ,.', titleAt))
const INTRODUCTIONS = wordsIn(
  'is am m pt ist heiße heisse bin appelle suis llamo soy chiamo sono chamo me sou é heet ben named called patient customer employee colleague with to manager contact caller client guest tenant passenger nurse student for from ask told met',
)
addAlone(INTRODUCTIONS, fromWord(' ', introductionAt))
const SIGNATURES = wordsIn(
  'regards wishes sincerely yours cheers thanks best grüßen grüße gruß cordialement salutations saludos atentamente saluti cordiali cumprimentos groet groeten respectfully',
)
addAlone(SIGNATURES, fromEnd('', signatureAt))
addAlone(['author', 'by', 'name'], creditAt)
addAlone(STREET_AFTER, () => (text, start, end, _next, report) => {
  if (text.charCodeAt(start - 1) === 32) streetAfter(text, start, end, report)
})
const COMMON = new Set(['am', 'an', 'auf', 'im', 'in', 'unter', 'zum', 'zur'])
addAlone(STREET_BEFORE, (word) => {
  const isCommon = COMMON.has(word)
  return (text, start, end, next, report) => {
    if ((next === 32 || next === 46) && (!isCommon || text.charCodeAt(start) < 97)) streetBefore(text, start, end, report)
  }
})
addAlone(NUMBER_LABELS, fromWord('', proseNumberAt))
addAlone(
  wordsIn('box interne interno interna lokal homelab intra private localnet priv ad internal intern intranet lan corp local consul arpa'),
  fromWord('', internalName),
)
addAlone(['accepted', 'failed', 'invalid', 'session', 'disconnected'], fromStart('', sshdAt))
addAlone(wordsIn('jan feb mar apr may jun jul aug sep oct nov dec'), fromStart(' ', syslogAt))
addAlone(['linux', 'darwin'], fromEnd(' ', unameAt))
addAlone(wordsIn('lives living lived based moved resides wohnt habite vive woont abita mora'), fromEnd(' ', residenceAt))
addAlone(['private', 'kty'], () => (text, start, end, next, report) => {
  if (next === 45) puttyAt(text, end, report)
  else if (next === 34) jwkAt(text, start, report)
})
addAlone(SECRET_WORDS.keys(), fromWord('', secretInSentenceAt))
addAlone(COMMAND_FORMS.keys(), commandFormAt)
addAlone(new Set([...CLINIC, ...NAMED_CONDITIONS]), fromWord('', clinicalAt))
const KINDS_OF_MACHINE = new Set(
  'hostname uname desktop laptop host server node machine box vm instance workstation bastion agent runner reboot restart rebooting printer pc serveur servidor rechner maschine nas drucker'.split(
    ' ',
  ),
)
addAlone(
  new Set([...wordsIn('cn uid user assumed desktop win pts tty whoami hostname uname'), ...KINDS_OF_MACHINE, ...MACHINE_WORDS]),
  () => accountAt,
)
addAlone(KINDS_OF_MACHINE, fromWord(' ', machineNamedAt))
/** The word that must follow a common word if it is a command. */
const NEXT_WORD: Readonly<Record<string, string>> = lookup({ pass: 'show', op: 'read', config: 'get ' })
addAlone(PRINTERS, (word) => {
  const nextWord = NEXT_WORD[word] ?? ''
  return (text, start, end, next, report) => {
    if (next === 32 && text.startsWith(nextWord, end + 1)) printedSecretAt(text, start, report)
  }
})
addAlone(
  wordsIn('log logging logged signed authenticated switched welcome active login connected acting impersonating logon'),
  fromStart(' ', signedInAt),
)
addAlone(new Set(['user', 'account', ...ACCOUNT_WORDS]), (word) => (text, start, end, next, report) => {
  if (!(next === 32 || next === 61 || next === 58)) return
  userNamedAt(text, start, end, report)
  if (next === 32 && (word === 'user' || word === 'account')) userAt(text, start, end, report)
})
addAlone(wordsIn('box postfach postbus apartado casilla blk'), fromWord('', boxAt))
addAlone(wordsIn('chown su sudo doas smbpasswd useradd adduser usermod passwd finger userdel whoami'), commandAt)
addAlone(COLUMN_WORDS, fromStart('', columnAt))
addAlone(['into'], fromStart(' ', insertAt))
addAlone(['copy'], fromStart(' ', copyAt))
addAlone(['begin'], fromStart(':', cardAt))
addAlone(['dn'], fromStart(':', directoryAt))
addAlone(['machine'], fromEnd(' \t', netrcAt))
addAlone(new Set(LOGIN_WORDS), fromEnd(' :', loginPairAt))
addAlone(['pid'], fromStart('|', patientAt))
