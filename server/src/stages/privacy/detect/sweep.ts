import { arnAt, distinguishedAt, domainUserAt, machineAt, passwdAt, requestAt, shadowAt, shareAt, signedInAt } from './accounts.ts'
import { CARRIED, carriedAt, passwordFileAt } from './carriers.ts'
import { CLINIC, clinicalAt, NAMED_CONDITIONS } from './conditions.ts'
import { fieldAfter } from './fields.ts'
import { atSign, homeFolder, internalName, ipv4At, ipv6At, isUser, listingAt } from './hosts.ts'
import { LAST_WORDS } from './labels.ts'
import { digitsAt, ibanAt, parenthesisAt, plusAt } from './numbers.ts'
import { handleAt, hostsLineAt, idAt, machineNamedAt, sshdAt, stampedAt, sudoAt, syslogAt, unameAt, userAt } from './logs.ts'
import { hostnameAt, loggedAt, printedAt, PRINTERS, whoamiAt } from './outputs.ts'
import { beforeMail, blameAt, credited, greeting, introduction, signature, title } from './people.ts'
import { givenAt, mentionAt, partedAt } from './mentions.ts'
import { CALLS, callAt, jwkAt, puttyAt, VENDORS, vendorAt } from './calls.ts'
import { cityAt, placeOfStreet } from './addresses.ts'
import {
  boxAt,
  cityOfLand,
  livesIn,
  officeAt,
  placeAt,
  STREET_AFTER,
  STREET_BEFORE,
  streetAfter,
  streetBefore,
  streetEnding,
} from './places.ts'
import { BEGINNINGS, folded, MAY_BEGIN, mayBeKey, providerKeyAt, shapedKeyAt } from './providers.ts'
import { cookiesAt, jwtAt, pemAt, schemeAt, shortFlagAt } from './secrets.ts'
import { type Known, knownAt } from './known.ts'
import { TOLD, tellingAt, userBefore } from './telling.ts'
import { TOLD_NUMBERS, toldNumberAt } from './told-numbers.ts'
import type { Report } from './types.ts'
import { postcodeAt } from './postcodes.ts'
import { BEFORE_USERS, markedAt, ownedAt, userNamedAt } from './users.ts'
import { machinePhraseAt, MACHINE_WORDS } from './machines.ts'
import { codeAt, goDsnAt, keyValueAt, libpqAt, pairsAt, redisAt, shoutedKeyAt, urlAt } from './urls.ts'
import { checkField } from './values.ts'
import { lower, step, WordTable } from './words.ts'

/** What a word makes worth a look. */
const LABEL = 1
const HOME = 2
const SCHEME = 4
const COOKIE = 8
const PAIRS = 16
const GREETING = 32
const TITLE = 64
const INTRO = 128
const SIGN = 256
const CREDIT = 512
const AFTER = 1024
const BEFORE = 2048
const COMMAND = 4096
const INTERNAL = 8192
const LOG = 16384
const MONTH = 32768
const SYSTEM = 65536
const PLACE = 131072
const CARRIER = 262144
const CLINICAL = 524288
const BOX = 1048576
const USER = 2097152
const NUMBERED = 4194304
const TELLING = 8388608
const CALL = 16777216
const KEY = 33554432
const VENDOR = 67108864
const ACCOUNT = 134217728
const PRINTER = 268435456
const SIGNED = 536870912
const QUERY = 1073741824

const ANCHORS = new WordTable<number>()
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
const KINDS_OF_MACHINE = new Set(
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

/** Classes of the first 128 characters. */
const OTHER = 0
const LOWER = 1
const UPPER = 2
const DIGIT = 3
const UNDERSCORE = 4
const SIGNAL = 5
const CLASS = new Uint8Array(128)
for (let code = 97; code <= 122; code += 1) CLASS[code] = LOWER
for (let code = 65; code <= 90; code += 1) CLASS[code] = UPPER
for (let code = 48; code <= 57; code += 1) CLASS[code] = DIGIT
CLASS[95] = UNDERSCORE
for (const char of '@:-+(<\\') CLASS[char.charCodeAt(0)] = SIGNAL

/** Codes of the text that is swept, and a 0 behind them; one room for most texts, for sweeps do not stand in each other. */
const KEPT = 1 << 18
const LOOKED_AHEAD = 8
const room = Buffer.from(new ArrayBuffer(2 * KEPT + 2 * LOOKED_AHEAD))
const roomCodes = new Uint16Array(room.buffer)
function codesOf(text: string): Uint16Array {
  const { length } = text
  if (length < KEPT) {
    room.write(text, 0, 'utf16le')
    roomCodes[length] = 0
    return roomCodes
  }
  const bytes = Buffer.from(new ArrayBuffer(2 * length + 2 * LOOKED_AHEAD))
  bytes.write(text, 0, 'utf16le')
  return new Uint16Array(bytes.buffer)
}

const COMMON = new Set(['am', 'an', 'auf', 'im', 'in', 'unter', 'zum', 'zur'])
const isWordCode = (code: number) => (code < 128 ? CLASS[code]! >= LOWER && CLASS[code]! <= UNDERSCORE : code >= 0xc0)

/** One pass over a text: every place that may begin or name something is handed to the detector that knows. */
export function sweep(text: string, report: Report, known: Known | null): void {
  const length = text.length
  const codes = codesOf(text)
  let done = 0 // nothing before this place is looked at again for keys, URLs and numbers
  let at = 0
  while (at < length) {
    const code = codes[at]!
    const kind = code < 128 ? CLASS[code]! : code >= 0xc0 && (code < 0x2000 || code > 0x206f) && code !== 0xff1a ? LOWER : OTHER
    if (kind === OTHER) {
      at += 1
      continue
    }
    if (kind === SIGNAL) {
      at = signal(text, at, code, report, done)
      if (at > done && code === 58) done = at
      continue
    }
    // a word of code: letters, digits and underscores; its parts are asked one by one
    const start = at
    if (start >= done && (kind === DIGIT || mayStart(codes, start, code, kind))) {
      const end = wordStart(text, start, code, kind, report)
      if (end > start) {
        done = Math.max(done, end)
        if (kind === DIGIT) {
          at = end
          continue
        }
      }
    }
    at = parts(text, codes, start, report, known)
    if (at - start >= 28 && start >= done) shaped(text, start, at, report)
  }
}

/** Parts of an identifier: `dbPassword` and `DB_PASSWORD` both give "db" and "password". Returns where the identifier ends. */
function parts(text: string, codes: Uint16Array, start: number, report: Report, known: Known | null): number {
  let at = start
  let hash = 0
  let part = start
  let previous = OTHER
  for (;;) {
    let code = codes[at]! // 0 behind the end
    if (code >= 97 && code <= 122) {
      if (previous === DIGIT || previous === UNDERSCORE) {
        hash = 0
        part = at
      }
      do {
        hash = step(hash, code)
        code = codes[(at += 1)]!
      } while (code >= 97 && code <= 122)
      previous = LOWER
      continue
    }
    if (code >= 48 && code <= 57) {
      if (previous === LOWER || previous === UPPER) {
        word(text, part, at, hash, report)
        hash = 0
        part = at
      }
      do code = codes[(at += 1)]!
      while (code >= 48 && code <= 57)
      previous = DIGIT
      continue
    }
    let kind: number
    if (code < 128) {
      kind = CLASS[code]!
      if (kind === OTHER || kind === SIGNAL) break
      code |= 32
    } else if (code >= 0xc0 && !(code >= 0x2000 && code <= 0x206f) && code !== 0xff1a) {
      kind = LOWER
      if (code <= 0xde) {
        kind = UPPER
        code += 32
      }
    } else break
    if (kind === UNDERSCORE) {
      if (previous === LOWER || previous === UPPER) {
        word(text, part, at, hash, report)
        hash = 0
        part = at
      }
    } else {
      if (kind === UPPER && previous === LOWER) {
        word(text, part, at, hash, report)
        hash = 0
        part = at
      } else if (previous === DIGIT || previous === UNDERSCORE) {
        hash = 0
        part = at
      }
      hash = step(hash, code)
    }
    previous = kind
    at += 1
  }
  if ((previous === LOWER || previous === UPPER) && part < at) {
    word(text, part, at, hash, report)
    if (part === start && at - start > 1) named(text, start, at, report)
    if (text.charCodeAt(at) === 32 || text.charCodeAt(at) === 46 || text.charCodeAt(at) === 44) {
      const next = text.charCodeAt(at + 1)
      const digit = next >= 48 && next <= 57 ? true : next === 32 && text.charCodeAt(at + 2) >= 48 && text.charCodeAt(at + 2) <= 57
      if (digit && at - start >= 5) streetEnding(text, start, at, report)
    }
  }
  if (previous === DIGIT && at - start > 6 && at - start < 24 && text.charCodeAt(at) === 39) ownedAt(text, start, at, report)
  if (at - start < 5 && at - start > 1 && text.charCodeAt(at) === 32) postcodeAt(text, start, at, report)
  if (known !== null) {
    const name = knownAt(known, text, start, at)
    if (name !== undefined) report(name.type, 'known name', start, name.end, 0.9)
  }
  return at
}

/** Small letters with which a key, a token, a listing or an address of a machine may begin. */
const BEGINS = MAY_BEGIN.slice()
for (const char of 'efdl') BEGINS[char.charCodeAt(0)] = 1

/** The same by three characters. */
const STARTS = BEGINNINGS.slice()
STARTS[folded(101, 121, 74)] = 1 // eyJ
for (const first of [100, 108]) STARTS.fill(1, folded(first, 114, 0), folded(first, 114, 31) + 1) // dr, lr
/** Whether `wordStart` is worth its call: nothing that it takes is passed over. */
function mayStart(codes: Uint16Array, at: number, code: number, kind: number): boolean {
  if (code >= 128) return false
  const third = codes[at + 2]!
  if (STARTS[folded(code, codes[at + 1]!, third)] === 1) return true
  if (kind === UPPER && third >= 48 && third <= 57) return true
  return (code === 102 || code === 70) && (codes[at + 3] === 58 || codes[at + 4] === 58)
}

/** A whole word with a capital: may a name begin with it? Told by the two characters behind it. */
function named(text: string, start: number, end: number, report: Report): void {
  const code = text.charCodeAt(start)
  if (!(code >= 65 && code <= 90) && !(code >= 0xc0 && text[start] !== text[start]!.toLowerCase())) return
  const next = text.charCodeAt(end)
  if (text.charCodeAt(start - 1) === 32) {
    const last = text.charCodeAt(start - 2)
    if (last > 96) placeAt(text, start, report)
    else if (last >= 48 && last <= 57) cityAt(text, start, report)
    else if (last === 44) placeOfStreet(text, start, report)
  }
  if (next === 32 || next === 45 || next === 39 || next === 0x2019) {
    const after = text.charCodeAt(end + 1)
    if ((after >= 65 && after <= 90) || (after >= 0xc0 && after <= 0x24f) || next !== 32) return mentionAt(text, start, report)
    if (after >= 97 && after <= 122) {
      if (after === 100 || after === 118 || after === 97 || after === 98 || after === 101) mentionAt(text, start, report)
      givenAt(text, start, end, report)
      officeAt(text, start, end, report)
    }
  } else if (next === 94 || next === 47) partedAt(text, start, end, report)
  else if (next === 44 || next === 46 || next === 63 || next === 33 || next === 41 || next === 10 || next !== next)
    givenAt(text, start, end, report)
  if (next === 44) cityOfLand(text, start, end, report)
}

/** What may begin with a word of code: keys, JWTs, IBANs, numbers, addresses of machines. Returns where it ends, or `start`. */
function wordStart(text: string, start: number, code: number, kind: number, report: Report): number {
  if (kind === DIGIT) {
    if (start > 0 && isWordCode(text.charCodeAt(start - 1))) return start
    const ipv6 = mayBeIpv6(text, start) ? ipv6At(text, start, report) : null
    if (ipv6 !== null) return ipv6
    const dot = text.charCodeAt(start + 1) === 46 || text.charCodeAt(start + 2) === 46 || text.charCodeAt(start + 3) === 46
    if (dot && text.charCodeAt(start - 1) !== 46) {
      const ipv4 = ipv4At(text, start, report)
      if (ipv4 !== null) {
        if (text.charCodeAt(ipv4) === 32 && text.charCodeAt(ipv4 + 1) === 45) requestAt(text, ipv4, report)
        else if (text.charCodeAt(ipv4) === 32 || text.charCodeAt(ipv4) === 9) hostsLineAt(text, start, ipv4, report)
        return ipv4
      }
    }
    let end = start + 1
    while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1
    const next = text.charCodeAt(end)
    if (end - start >= 8 && end - start <= 10 && next === 58) {
      const key = providerKeyAt(text, start)
      if (key !== null) {
        report(key.provider.type, key.provider.name, start, key.end, 0.95, true)
        return key.end
      }
    }
    if (end - start === 1 && next === 47) return keyAt(text, start, report)
    if (end - start === 4 && next === 45 && text.charCodeAt(start + 10) === 84) stampedAt(text, start, report)
    if (end - start >= 12 || (end - start >= 2 && (next === 32 || next === 45 || next === 46 || next === 47))) {
      if (isWordCode(next)) return start
      return Math.max(digitsAt(text, start, report), end)
    }
    return isWordCode(next) ? start : end
  }
  if (code >= 128 || (kind === LOWER && BEGINS[code] === 0)) return start
  if (MAY_BEGIN[code] === 1 && mayBeKey(text, start, code)) {
    const end = keyAt(text, start, report)
    if (end > start) return end
  }
  if (code === 101 && text.startsWith('eyJ', start)) return jwtAt(text, start, report) ?? start
  if (
    text.charCodeAt(start + 2) >= 48 &&
    text.charCodeAt(start + 2) <= 57 &&
    text.charCodeAt(start + 3) >= 48 &&
    text.charCodeAt(start + 3) <= 57 &&
    kind === UPPER
  ) {
    return ibanAt(text, start, report) ?? start
  }
  if ((code === 102 || code === 70) && mayBeIpv6(text, start)) return ipv6At(text, start, report) ?? start
  if ((code === 100 || code === 108) && text.charCodeAt(start + 1) === 114) listingAt(text, start, report)
  return start
}

function keyAt(text: string, start: number, report: Report): number {
  const key = providerKeyAt(text, start)
  if (key === null) return start
  report(key.provider.type, key.provider.name, start, key.end, 0.95, true)
  if (key.end - start === 20) secondHalf(text, key.end, report)
  return key.end
}

const SECOND_HALF =
  /["'`]?\s?(?:[:,;|/&\t]|and|und|et|y)\s?["'`]?((?=[A-Za-z0-9/+]*\d)(?=[A-Za-z0-9/+]*[a-z])(?=[A-Za-z0-9/+]*[A-Z])[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/y
/** The secret key behind the id of an access key: `AKIA… / …`. */
function secondHalf(text: string, at: number, report: Report): void {
  SECOND_HALF.lastIndex = at
  const value = SECOND_HALF.exec(text)?.[1]
  if (value !== undefined) report('api_key', 'aws secret', SECOND_HALF.lastIndex - value.length, SECOND_HALF.lastIndex, 0.85)
}

function shaped(text: string, start: number, end: number, report: Report): void {
  if (end - start > 100) return
  const key = shapedKeyAt(text, start)
  if (key !== null) report(key.provider.type, key.provider.name, start, key.end, 0.9, true)
}

/** Two to four hexadecimal digits and a colon. */
function mayBeIpv6(text: string, start: number): boolean {
  return text.charCodeAt(start + 4) === 58 || text.charCodeAt(start + 3) === 58
}

function signal(text: string, at: number, code: number, report: Report, done: number): number {
  const next = text.charCodeAt(at + 1)
  if (code === 58) {
    if (next === 47 && text.charCodeAt(at + 2) === 47) {
      const end = at >= done ? urlAt(text, at, report) : at + 3
      void end
      return at + 3
    }
    if (next === 120 && text.charCodeAt(at + 2) === 58) passwdAt(text, at, report)
    if (next === 33 || next === 42) shadowAt(text, at, report)
    if (next === 36 || next === 42 || next === 123 || (next >= 48 && next <= 57)) passwordFileAt(text, at, report)
    return at + 1
  }
  if (code === 64) {
    atSign(text, at, report)
    const before = text.charCodeAt(at - 1)
    if (before === 32 || before === 10 || at === 0) handleAt(text, at, report)
    if (next === 116 || next === 117 || next === 40) goDsnAt(text, at, report)
    return at + 1
  }
  if (code === 45) {
    if (next === 45) {
      let end = at + 2
      while (text.charCodeAt(end) === 45) end += 1
      if (end - at >= 5 && text.charCodeAt(end) === 66) return pemAt(text, end - 5, report) ?? end
      return end
    }
    if (next === 114 && (text.charCodeAt(at + 2) === 119 || text.charCodeAt(at + 2) === 45)) listingAt(text, at, report)
    const before = at === 0 ? 32 : text.charCodeAt(at - 1)
    if (
      (before === 32 || before === 10 || before === 9) &&
      (next === 112 || next === 117 || next === 97 || next === 80 || next === 119 || next === 98)
    )
      shortFlagAt(text, at, report)
    return at + 1
  }
  if (code === 43) return (next >= 48 && next <= 57) || next === 40 ? (plusAt(text, at, report) ?? at + 1) : at + 1
  if (code === 40) {
    if (next >= 48 && next <= 57) return parenthesisAt(text, at, report) ?? at + 1
    if ((next >= 65 && next <= 90) || next >= 0xc0) blameAt(text, at, report)
    else if (next >= 97 && next <= 122 && CLASS[text.charCodeAt(at - 1)] === DIGIT) idAt(text, at, report)
    else if ((next === 64 || (next >= 97 && next <= 122)) && CLASS[text.charCodeAt(at - 1)] === UPPER) markedAt(text, at, report)
    return at + 1
  }
  if (code === 92) {
    if (next === 92) shareAt(text, at, report)
    else domainUserAt(text, at, report)
  } else beforeMail(text, at, report)
  return at + 1
}

/** A word that may name something: asks what it is for. */
function word(text: string, start: number, end: number, hash: number, report: Report): void {
  const flags = ANCHORS.find(text, start, end, hash)
  if (flags === undefined) return
  const next = text.charCodeAt(end)
  // a letter of a hash is no word
  if (end - start === 1 && (isWordCode(next) || isWordCode(text.charCodeAt(start - 1)))) return
  if (flags & LABEL && !goesOn(text, start)) {
    const field = fieldAfter(text, start, end)
    if (field !== null) {
      checkField(field, report, text)
      if (field.kind === 'password') userBefore(text, start, report)
    }
  }
  if (flags & NUMBERED && !(flags & LABEL) && (next === 32 || next === 35) && isCount(text.charCodeAt(next === 35 ? end : end + 1))) {
    const field = fieldAfter(text, start, end)
    if (field !== null) checkField(field, report, text)
  }
  if (flags & HOME) homeFolder(text, start, end, report)
  if (flags & SCHEME) schemeAt(text, wordAt(text, start, end), end, report)
  if (flags & COOKIE) {
    const tie = (
      text.charCodeAt(start - 1) === 45 && text.charCodeAt(start - 2) === 45 ? /^[ =]["']?(?=[^\s"'=;]{1,80}=)/ : /^["']?\s*[:=,]\s*["'`]?/
    ).exec(text.slice(end, end + 90))
    if (tie !== null) cookiesAt(text, end + tie[0].length, report)
  }
  if (flags & PAIRS && end - start === 3) shoutedKeyAt(text, start, end, report)
  if (flags & PAIRS && text.charCodeAt(end) === 61) {
    pairsAt(text, start, report)
    if (text.charCodeAt(end - 1) === 121 && end - start === 3) keyValueAt(text, start, end, report)
    if (text.charCodeAt(end - 1) === 100) {
      libpqAt(text, start, report)
      redisAt(text, start, report)
    }
  }
  if (flags & CALL) callAt(text, end, wordAt(text, start, end), report)
  if (flags & VENDOR) vendorAt(text, start, end, report)
  if (flags & QUERY && next === 61) codeAt(text, start, end, report)
  const alone = start === 0 || !isWordCode(text.charCodeAt(start - 1))
  if (!alone || flags < GREETING) return
  if (flags & (GREETING | TITLE | INTRO) && (next === 32 || next === 44 || next === 46)) {
    if (flags & GREETING) greeting(text, start, end, report)
    if (flags & TITLE) title(text, start, end, report)
    if (flags & INTRO && next === 32) introduction(text, start, end, report)
  }
  if (flags & SIGN) signature(text, end, report)
  if (flags & CREDIT && isCredit(text, wordAt(text, start, end), start)) credited(text, end, report)
  if (flags & AFTER && text.charCodeAt(start - 1) === 32) streetAfter(text, start, end, report)
  if (flags & BEFORE && (next === 32 || next === 46) && (text.charCodeAt(start) < 97 || !COMMON.has(wordAt(text, start, end))))
    streetBefore(text, start, end, report)
  if (flags & NUMBERED) toldNumberAt(text, start, end, report)
  if (flags & INTERNAL) internalName(text, start, end, report)
  if (flags & LOG) sshdAt(text, start, report)
  if (flags & MONTH && next === 32) syslogAt(text, start, report)
  if (flags & SYSTEM && next === 32) unameAt(text, end, report)
  if (flags & PLACE && next === 32) livesIn(text, end, report)
  if (flags & KEY) {
    if (next === 45) puttyAt(text, end, report)
    else if (next === 34) jwkAt(text, start, report)
  }
  if (flags & TELLING) tellingAt(text, start, end, report)
  if (flags & CARRIER) carriedAt(text, start, end, report)
  if (flags & CLINICAL) clinicalAt(text, start, end, report)
  if (flags & ACCOUNT) accountAt(text, start, end, next, report)
  if (flags & PRINTER && next === 32 && mayPrint(text, start, end)) printedAt(text, start, report)
  if (flags & SIGNED && next === 32) signedInAt(text, start, report)
  if (flags & USER && (next === 32 || next === 61 || next === 58)) {
    userNamedAt(text, start, end, report)
    if (next === 32 && OF_ACCOUNTS.has(wordAt(text, start, end))) userAt(text, start, end, report)
  }
  if (flags & BOX) boxAt(text, start, end, report)
  if (flags & COMMAND) command(text, wordAt(text, start, end), end, report)
}

const OF_ACCOUNTS = new Set(['user', 'account'])
/** "pass" and "op" are words of sentences too. */
const mayPrint = (text: string, start: number, end: number) =>
  (text.charCodeAt(start) | 32) === 112 && end - start === 4
    ? text.startsWith('show', end + 1)
    : end - start === 2 && (text.charCodeAt(start) | 32) === 111
      ? text.startsWith('read', end + 1)
      : end - start === 6 && (text.charCodeAt(start) | 32) === 99
        ? text.startsWith('get ', end + 1)
        : true

/** Forms of accounts and machines that begin with the word at `start`, by the sign behind it. */
function accountAt(text: string, start: number, end: number, next: number, report: Report): void {
  if (next === 45 || text.charCodeAt(start - 1) === 45) machinePhraseAt(text, start, end, report)
  if (next === 61) {
    if (text.charCodeAt(start) === 84) sudoAt(text, start, report)
    else distinguishedAt(text, start, report)
  } else if (next === 45) {
    machineAt(text, start, report)
    arnAt(text, start, report)
  } else if (next === 47) {
    arnAt(text, start, report)
    loggedAt(text, start, report)
  } else if (next === 10 || next === 13 || next === 32) {
    const first = text.charCodeAt(start) | 32
    if (first === 119) whoamiAt(text, start, report)
    else if (first === 117 || (first === 104 && end - start === 8)) hostnameAt(text, start, report)
    if (next === 32 && KINDS_OF_MACHINE.has(wordAt(text, start, end))) machineNamedAt(text, start, end, report)
  }
}

/** `#`, n, N, №: what a word for number begins with. */
const isCount = (code: number) => code === 35 || code === 110 || code === 78 || code === 0x2116

const wordAt = (text: string, start: number, end: number) => text.slice(start, end).toLowerCase()

/** Whether a small letter follows a digit: `4b` is one word, and no label ends in one. */
const goesOn = (text: string, start: number) => {
  const before = text.charCodeAt(start - 1)
  return before >= 48 && before <= 57 && lower(text.charCodeAt(start)) === text.charCodeAt(start)
}

const DONE_BY =
  /(?:written|reported|authored|created|reviewed|approved|requested|submitted|signed|assigned|filed|posted|opened|merged|committed|changed|fixed|prepared|maintained|sent)\s$/i
/** `@author`, `user.name`, "written by". */
function isCredit(text: string, word: string, start: number): boolean {
  if (word === 'author') return text.charCodeAt(start - 1) === 64
  if (word === 'name') return text.slice(Math.max(0, start - 5), start) === 'user.'
  return DONE_BY.test(text.slice(Math.max(0, start - 12), start))
}

const OWNER = /^(?: -{1,2}[A-Za-z-]+)*(?: -u)? ((?!-)[a-z][a-z0-9._-]{1,31})(?::([a-z][a-z0-9._-]{1,31}))?(?= |$|\n)/
/** `chown jane:jane`, `su - jane`, `sudo -u jane`. */
function command(text: string, lower: string, end: number, report: Report): void {
  const slice = text.slice(end, end + 120)
  const match =
    lower === 'sudo' || lower === 'doas'
      ? /^(?: -[A-Za-z]+)*? -[A-Za-z]*u ([a-z][a-z0-9._-]{1,31})\b/.exec(slice)
      : lower === 'su'
        ? /^ (?:- |-l |--login )([a-z][a-z0-9._-]{1,31})\b/.exec(slice)
        : OWNER.exec(slice)
  if (match === null || lower === 'whoami') return
  for (const [index, name] of [match[1], match[2]].entries()) {
    if (name === undefined || !isOwner(name)) continue
    const from =
      end +
      match.index +
      (index === 1
        ? match[0].lastIndexOf(name)
        : match[0].indexOf(name, match[0].length - (match[2] === undefined ? name.length : match[1]!.length + match[2].length + 1)))
    report('username', lower, from, from + name.length, 0.75)
  }
}

const isOwner = (name: string) =>
  isUser(name) &&
  !/^(?:the|to|and|is|for|with|or|on|in|of|it|if|was|not|a|an|as|command|user|access|file|files|apt|apt-get|npm|rm|cat|chmod|env)$/.test(
    name,
  )
