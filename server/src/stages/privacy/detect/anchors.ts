import { lookup } from '#contracts/lookup.ts'
import { signedInAt } from './accounts.ts'
import { callAt, CALLS, jwkAt, puttyAt, vendorAt, VENDORS } from './calls.ts'
import { CARRIED, carriedAt } from './carriers.ts'
import { COLUMN_WORDS, columnAt } from './columns.ts'
import { headerTokenAt, HEADER_WORDS } from './header-tokens.ts'
import { LOGIN_WORDS, loginPairAt } from './login-pairs.ts'
import { netrcAt } from './netrc.ts'
import { CLINIC, clinicalAt, NAMED_CONDITIONS } from './conditions.ts'
import { patientAt } from './hl7.ts'
import { homeFolder, internalName } from './hosts.ts'
import { LAST_WORDS } from './labels.ts'
import { machineNamedAt, sshdAt, syslogAt, unameAt, userAt } from './logs.ts'
import { accountAt, commandAt, cookieAt, countedAt, creditAt, labelAt, type Look, pairAt } from './looks.ts'
import { MACHINE_WORDS } from './machines.ts'
import { printedAt, PRINTERS } from './outputs.ts'
import { greeting, introduction, signature, title } from './people.ts'
import { boxAt, livesIn, STREET_AFTER, STREET_BEFORE, streetAfter, streetBefore } from './places.ts'
import { schemeAt } from './secrets.ts'
import { copyAt, insertAt } from './tables.ts'
import { SECRET_WORDS, tellingAt } from './prose-secrets.ts'
import { NUMBER_WORDS, proseNumberAt } from './prose-numbers.ts'
import { codeAt } from './urls.ts'
import { BEFORE_USERS, userNamedAt } from './users.ts'
import { cardAt, directoryAt } from './vcard.ts'
import { WordTable } from './words.ts'

/** What a word is looked up for, in turn: some wherever it stands, some only where no identifier holds it. */
interface Looks {
  anywhere: readonly Look[]
  alone: readonly Look[]
}

export const ANCHORS = new WordTable<Looks>()
const add = (words: Iterable<string>, looksOf: (word: string) => Looks) => {
  for (const word of words)
    ANCHORS.add(word, looksOf(word), (old, looks) => ({
      anywhere: [...old.anywhere, ...looks.anywhere],
      alone: [...old.alone, ...looks.alone],
    }))
}
const anywhere = (words: Iterable<string>, lookOf: (word: string) => Look) =>
  add(words, (word) => ({ anywhere: [lookOf(word)], alone: [] }))
const alone = (words: Iterable<string>, lookOf: (word: string) => Look) => add(words, (word) => ({ anywhere: [], alone: [lookOf(word)] }))
const split = (words: string) => words.split(' ')

/** Letters beyond Latin-1 are not lowered in a sweep: words with one are looked for in both cases. */
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
anywhere(['home', 'users'], () => (text, start, end, _next, report) => homeFolder(text, start, end, report))
anywhere(['bearer', 'basic', 'token', 'apikey'], (word) => (text, _start, end, _next, report) => schemeAt(text, word, end, report))
anywhere(['cookie', 'cookies'], () => cookieAt)
anywhere(['pwd', 'password', 'key', 'accountkey', 'accesskey', 'signature'], pairAt)
anywhere(CALLS, (word) => (text, _start, end, _next, report) => callAt(text, end, word, report))
anywhere(VENDORS, () => (text, start, end, _next, report) => vendorAt(text, start, end, report))
anywhere(['code'], () => (text, start, end, next, report) => {
  if (next === 61) codeAt(text, start, end, report)
})

anywhere(HEADER_WORDS, () => (text, start, end, next, report) => {
  if (text.charCodeAt(start - 1) === 45 || (text.charCodeAt(start) | 32) === 97) headerTokenAt(text, start, end, report)
})

const GREETINGS = split(
  'hi hello hey dear hallo liebe lieber geehrte geehrter bonjour salut cher chère chere hola estimado estimada querido querida ciao gentile caro cara salve olá ola prezado prezada caro beste geachte hoi hej hei ahoj witam morning afternoon evening thanks thank danke merci gracias grazie obrigado bedankt',
)
alone(GREETINGS, () => (text, start, end, next, report) => {
  if (next === 32 || next === 44 || next === 46) greeting(text, start, end, report)
})
const TITLES = split(
  'mr mrs ms dr prof herr herrn frau mme mlle monsieur madame m sr sra srta señor señora senhor senhora sig signor signora dott dhr mevr mevrouw meneer',
)
alone(TITLES, () => (text, start, end, next, report) => {
  if (next === 32 || next === 44 || next === 46) title(text, start, end, report)
})
const INTRODUCTIONS = split(
  'is am m pt ist heiße heisse bin appelle suis llamo soy chiamo sono chamo me sou é heet ben named called patient customer employee colleague with to manager contact caller client guest tenant passenger nurse student for from ask told met',
)
alone(INTRODUCTIONS, () => (text, start, end, next, report) => {
  if (next === 32) introduction(text, start, end, report)
})
const SIGNATURES = split(
  'regards wishes sincerely yours cheers thanks best grüßen grüße gruß cordialement salutations saludos atentamente saluti cordiali cumprimentos groet groeten respectfully',
)
alone(SIGNATURES, () => (text, _start, end, _next, report) => signature(text, end, report))
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
alone(NUMBERED, () => (text, start, end, _next, report) => proseNumberAt(text, start, end, report))
alone(
  split('box interne interno interna lokal homelab intra private localnet priv ad internal intern intranet lan corp local consul arpa'),
  () => (text, start, end, _next, report) => internalName(text, start, end, report),
)
alone(['accepted', 'failed', 'invalid', 'session', 'disconnected'], () => (text, start, _end, _next, report) => sshdAt(text, start, report))
alone(split('jan feb mar apr may jun jul aug sep oct nov dec'), () => (text, start, _end, next, report) => {
  if (next === 32) syslogAt(text, start, report)
})
alone(['linux', 'darwin'], () => (text, _start, end, next, report) => {
  if (next === 32) unameAt(text, end, report)
})
alone(split('lives living lived based moved resides wohnt habite vive woont abita mora'), () => (text, _start, end, next, report) => {
  if (next === 32) livesIn(text, end, report)
})
alone(['private', 'kty'], () => (text, start, end, next, report) => {
  if (next === 45) puttyAt(text, end, report)
  else if (next === 34) jwkAt(text, start, report)
})
alone(SECRET_WORDS.keys(), () => (text, start, end, _next, report) => tellingAt(text, start, end, report))
alone(CARRIED.keys(), carriedAt)
alone(new Set([...CLINIC, ...NAMED_CONDITIONS]), () => (text, start, end, _next, report) => clinicalAt(text, start, end, report))
const KINDS_OF_MACHINE = new Set(
  'hostname uname desktop laptop host server node machine box vm instance workstation bastion agent runner reboot restart rebooting printer pc serveur servidor rechner maschine nas drucker'.split(
    ' ',
  ),
)
alone(
  new Set([...split('cn uid user assumed desktop win pts tty whoami hostname uname'), ...KINDS_OF_MACHINE, ...MACHINE_WORDS]),
  () => accountAt,
)
alone(KINDS_OF_MACHINE, () => (text, start, end, next, report) => {
  if (next === 32) machineNamedAt(text, start, end, report)
})
/** What follows a word that sentences have too, where it is a command. */
const PRINTING: Readonly<Record<string, string>> = lookup({ pass: 'show', op: 'read', config: 'get ' })
alone(PRINTERS, (word) => {
  const then = PRINTING[word] ?? ''
  return (text, start, end, next, report) => {
    if (next === 32 && text.startsWith(then, end + 1)) printedAt(text, start, report)
  }
})
alone(
  split('log logging logged signed authenticated switched welcome active login connected acting impersonating logon'),
  () => (text, start, _end, next, report) => {
    if (next === 32) signedInAt(text, start, report)
  },
)
alone(new Set(['user', 'account', ...BEFORE_USERS]), (word) => (text, start, end, next, report) => {
  if (!(next === 32 || next === 61 || next === 58)) return
  userNamedAt(text, start, end, report)
  if (next === 32 && (word === 'user' || word === 'account')) userAt(text, start, end, report)
})
alone(split('box postfach postbus apartado casilla blk'), () => (text, start, end, _next, report) => boxAt(text, start, end, report))
alone(split('chown su sudo doas smbpasswd useradd adduser usermod passwd finger userdel whoami'), commandAt)
alone(COLUMN_WORDS, () => (text, start, _end, _next, report) => columnAt(text, start, report))
alone(['into'], () => (text, start, _end, next, report) => {
  if (next === 32) insertAt(text, start, report)
})
alone(['copy'], () => (text, start, _end, next, report) => {
  if (next === 32) copyAt(text, start, report)
})
alone(['begin'], () => (text, start, _end, next, report) => {
  if (next === 58) cardAt(text, start, report)
})
alone(['dn'], () => (text, start, _end, next, report) => {
  if (next === 58) directoryAt(text, start, report)
})
alone(['machine'], () => (text, _start, end, next, report) => {
  if (next === 32 || next === 9) netrcAt(text, end, report)
})
alone(new Set(LOGIN_WORDS), () => (text, _start, end, next, report) => {
  if (next === 32 || next === 58) loginPairAt(text, end, report)
})
alone(['pid'], () => (text, start, _end, next, report) => {
  if (next === 124) patientAt(text, start, report)
})
