import { CALLS, VENDORS } from './calls.ts'
import { CARRIED } from './carriers.ts'
import { CLINIC, NAMED_CONDITIONS } from './conditions.ts'
import { LAST_WORDS } from './labels.ts'
import { MACHINE_WORDS } from './machines.ts'
import { PRINTERS } from './outputs.ts'
import { STREET_AFTER, STREET_BEFORE } from './places.ts'
import { TOLD } from './telling.ts'
import { TOLD_NUMBERS } from './told-numbers.ts'
import { BEFORE_USERS } from './users.ts'
import { WordTable } from './words.ts'

/** What a word makes worth a look. */
export const LABEL = 1
export const HOME = 2
export const SCHEME = 4
export const COOKIE = 8
export const PAIRS = 16
export const GREETING = 32
export const TITLE = 64
export const INTRO = 128
export const SIGN = 256
export const CREDIT = 512
export const AFTER = 1024
export const BEFORE = 2048
export const COMMAND = 4096
export const INTERNAL = 8192
export const LOG = 16384
export const MONTH = 32768
export const SYSTEM = 65536
export const PLACE = 131072
export const CARRIER = 262144
export const CLINICAL = 524288
export const BOX = 1048576
export const USER = 2097152
export const NUMBERED = 4194304
export const TELLING = 8388608
export const CALL = 16777216
export const KEY = 33554432
export const VENDOR = 67108864
export const ACCOUNT = 134217728
export const PRINTER = 268435456
export const SIGNED = 536870912
export const QUERY = 1073741824

export const ANCHORS = new WordTable<number>()
const either = (a: number, b: number) => a | b
const anchor = (flag: number, words: Iterable<string>) => {
  for (const word of words) ANCHORS.add(word, flag, either)
}
/** Letters beyond Latin-1 are not lowered in a sweep: words with one are looked for in both cases. */
const cased = (word: string) =>
  /[\u0100-\uFFFF]/.test(word)
    ? [word, word.toUpperCase(), word[0]!.toUpperCase() + word.slice(1)].map((one) =>
        one.replaceAll(/[A-Z\u00C0-\u00DE]/g, (letter) => letter.toLowerCase()),
      )
    : [word]
anchor(
  LABEL,
  [...LAST_WORDS].flatMap((word) => cased(word.split(/[’']/).at(-1)!)),
)
anchor(HOME, ['home', 'users'])
anchor(SCHEME, ['bearer', 'basic', 'token', 'apikey'])
anchor(COOKIE, ['cookie', 'cookies'])
anchor(PAIRS, ['pwd', 'password', 'key', 'accountkey', 'accesskey', 'signature'])
anchor(
  GREETING,
  `hi hello hey dear hallo liebe lieber geehrte geehrter bonjour salut cher chère chere hola estimado estimada querido querida ciao gentile caro cara salve olá ola prezado prezada caro beste geachte hoi hej hei ahoj witam morning afternoon evening thanks thank danke merci gracias grazie obrigado bedankt`.split(
    ' ',
  ),
)
anchor(
  TITLE,
  `mr mrs ms dr prof herr herrn frau mme mlle monsieur madame m sr sra srta señor señora senhor senhora sig signor signora dott dhr mevr mevrouw meneer`.split(
    ' ',
  ),
)
anchor(
  INTRO,
  `is am m pt ist heiße heisse bin appelle suis llamo soy chiamo sono chamo me sou é heet ben named called patient customer employee colleague with to manager contact caller client guest tenant passenger nurse student for from ask told met`.split(
    ' ',
  ),
)
anchor(
  SIGN,
  `regards wishes sincerely yours cheers thanks best grüßen grüße gruß cordialement salutations saludos atentamente saluti cordiali cumprimentos groet groeten respectfully`.split(
    ' ',
  ),
)
anchor(CREDIT, ['author', 'by', 'name'])
anchor(AFTER, STREET_AFTER)
anchor(BEFORE, STREET_BEFORE)
anchor(COMMAND, ['chown', 'su', 'sudo', 'doas', 'smbpasswd', 'useradd', 'adduser', 'usermod', 'passwd', 'finger', 'userdel', 'whoami'])

anchor(INTERNAL, [
  'box',
  'interne',
  'interno',
  'interna',
  'lokal',
  'homelab',
  'intra',
  'private',
  'localnet',
  'priv',
  'ad',
  'internal',
  'intern',
  'intranet',
  'lan',
  'corp',
  'local',
  'consul',
  'arpa',
])
anchor(LOG, ['accepted', 'failed', 'invalid', 'session', 'disconnected'])
anchor(MONTH, ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'])
anchor(SYSTEM, ['linux', 'darwin'])
anchor(PLACE, ['lives', 'living', 'lived', 'based', 'moved', 'resides', 'wohnt', 'habite', 'vive', 'woont', 'abita', 'mora'])
anchor(CARRIER, CARRIED.keys())
anchor(TELLING, TOLD.keys())
anchor(CALL, CALLS)
anchor(KEY, ['private', 'kty'])
anchor(VENDOR, VENDORS)
anchor(CLINICAL, CLINIC)
anchor(CLINICAL, NAMED_CONDITIONS)
anchor(
  NUMBERED,
  'member group policy chart permis licence license patient subscriber insured certificate konto compte cuenta conto account passport passeport pasaporte'.split(
    ' ',
  ),
)
anchor(NUMBERED, TOLD_NUMBERS.keys())
anchor(ACCOUNT, ['cn', 'uid', 'user', 'assumed', 'desktop', 'win', 'pts', 'tty', 'whoami', 'hostname', 'uname'])
export const KINDS_OF_MACHINE = new Set(
  'hostname uname desktop laptop host server node machine box vm instance workstation bastion agent runner reboot restart rebooting printer pc serveur servidor rechner maschine nas drucker'.split(
    ' ',
  ),
)
anchor(ACCOUNT, KINDS_OF_MACHINE)
anchor(ACCOUNT, MACHINE_WORDS)
anchor(PRINTER, PRINTERS)
anchor(SIGNED, [
  'log',
  'logging',
  'logged',
  'signed',
  'authenticated',
  'switched',
  'welcome',
  'active',
  'login',
  'connected',
  'acting',
  'impersonating',
  'logon',
])
anchor(QUERY, ['code'])
anchor(USER, ['user', 'account'])
anchor(USER, BEFORE_USERS)
anchor(BOX, ['box', 'postfach', 'postbus', 'apartado', 'casilla', 'blk'])
