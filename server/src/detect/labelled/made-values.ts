import { lookup } from '#contracts/lookup.ts'
import type { PiiType } from '#contracts/entities/privacy.ts'

/** Made-up values with valid checksums, determined by a hash so that every run gives the same text. */

export const SLOT_TYPES: Record<string, PiiType | undefined> = lookup({
  person: 'person',
  given: 'person',
  family: 'person',
  email: 'email',
  phone: 'phone',
  ssn: 'ssn',
  passport: 'passport',
  license: 'driver_license',
  dob: 'date_of_birth',
  card: 'credit_card',
  account: 'bank_account',
  iban: 'iban',
  address: 'address',
  zip: 'zip_code',
  city: 'city',
  country: 'country',
  ip: 'ip_address',
  mrn: 'mrn',
  plan: 'health_plan',
  condition: 'medical_condition',
  username: 'username',
  hostname: 'hostname',
  password: 'password',
  key: 'api_key',
  token: 'secret',
  jwt: 'auth_token',
  basic: 'auth_token',
  pem: 'private_key',
  aws_secret: 'secret',
})
/** Slots whose values must not be found. */
export const NEUTRAL = new Set(['sha', 'hash', 'uuid', 'version', 'int', 'ms', 'port', 'word', 'base64', 'hex'])

const FIRST_NAMES = 'Marta Oliver Priya Jonas Camille Diego Giulia Yuki Fatima Ewa Thabo Ngozi Bram Sinead Tuan Aroha'.split(' ')
const LAST_NAMES =
  "Keller|Okafor|Lindqvist|Moreau|Fernández|Rossi|Tanaka|O'Connell|Van der Berg|Nowak|Schröder|Patel|Dlamini|Nguyen|Almeida|Whitfield".split(
    '|',
  )

export function valueOf(name: string, form: string | undefined, hash: Buffer): string {
  let at = 0
  let state = hash.readUInt32LE(0)
  const next = (below: number) => {
    at += 1
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + hash.readUInt32LE((at * 4) % 28) + at) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
  const pick = <T>(list: readonly T[]) => list[next(list.length)]!
  const some = (alphabet: string, count: number) => Array.from({ length: count }, () => alphabet[next(alphabet.length)]).join('')
  const digits = (count: number) => some('0123456789', count)
  const HEX = '0123456789abcdef'
  const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
  const first = () => pick(FIRST_NAMES)
  const last = () => pick(LAST_NAMES)
  const number = () => String(1 + next(180))
  const check10 = (body: string) => {
    let sum = 0
    for (let index = body.length - 1, double = true; index >= 0; index -= 1, double = !double) {
      const digit = Number(body[index])
      sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
    }
    return `${body}${(10 - (sum % 10)) % 10}`
  }
  const two = (value: number) => String(value).padStart(2, '0')
  const [year, month, day] = [1940 + next(65), 1 + next(12), 1 + next(28)]
  switch (name) {
    case 'person':
      return `${first()} ${last()}`
    case 'given':
      return first()
    case 'family':
      return last()
    case 'email':
      return `${first().toLowerCase()}.${some('abcdefghijkl', 5)}@${pick(['acme.io', 'mail.kellerbau.de', 'gmail.com', 'corp.co.uk', 'uni-x.edu', 'outlook.fr'])}`
    case 'phone':
      if (form === 'intl')
        return pick([
          () => `+49 151 ${digits(3).replace(/^0/, '2')}${digits(5)}`,
          () => `+1 415 55${digits(1)} ${digits(4)}`,
          () => `+33 6 ${two(10 + next(80))} ${digits(2)} ${digits(2)} ${digits(2)}`,
          () => `+4479${digits(2).replace(/^./, '1')}${digits(6)}`,
        ])()
      if (form === 'de')
        return pick([
          () => `030 ${2 + next(7)}${digits(7)}`,
          () => `0171/${2 + next(7)}${digits(6)}`,
          () => `089-${2 + next(7)}${digits(6)}`,
        ])()
      if (form === 'fr') return `06 ${two(10 + next(80))} ${digits(2)} ${digits(2)} ${digits(2)}`
      if (form === 'paren') return `(${pick(['415', '212', '312'])}) ${2 + next(7)}${digits(2).replace('11', '21')}-${digits(4)}`
      return `${pick(['415', '212', '312', '646'])}-${2 + next(7)}${digits(2).replace('11', '21')}-${digits(4)}`
    case 'ssn':
      return `${two(10 + next(50))}${1 + next(8)}-${two(1 + next(98))}-${digits(3)}${1 + next(9)}`
    case 'passport':
      return pick([
        () => `${some('CFGHJK', 1)}${digits(2)}${some('LMNPRT', 1)}${digits(5)}`,
        () => digits(9).replace(/^0/, '4'),
        () => `${some(UPPER, 2)}${digits(7)}`,
      ])()
    case 'license':
      return pick([
        () => `${some(UPPER, 1)}${digits(7)}`,
        () => `${some(UPPER, 1)}${digits(3)}-${digits(4)}-${digits(4)}`,
        () => `${some(UPPER, 5)}${digits(6)}${some(UPPER, 2)}${digits(1)}${some(UPPER, 2)}`,
        () => `B${digits(3)}${some('RSTU', 3)}${digits(4)}`,
      ])()
    case 'dob': {
      if (form === 'us') return `${two(month)}/${two(day)}/${year}`
      if (form === 'de') return `${two(day)}.${two(month)}.${year}`
      if (form === 'eu') return `${two(day)}/${two(month)}/${year}`
      if (form === 'fr')
        return `${day} ${['janvier', 'février', 'mars', 'avril', 'mai', 'juin', 'juillet', 'août', 'septembre', 'octobre', 'novembre', 'décembre'][month - 1]} ${year}`
      if (form === 'en')
        return `${['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'][month - 1]} ${day}, ${year}`
      return `${year}-${two(month)}-${two(day)}`
    }
    case 'card': {
      const value = pick([
        () => check10(`4${digits(14)}`),
        () => check10(`5${1 + next(5)}${digits(13)}`),
        () => check10(`6011${digits(11)}`),
      ])()
      const groups = value.match(/.{4}/g)!
      return form === 'spaced' ? groups.join(' ') : form === 'dashed' ? groups.join('-') : value
    }
    case 'account':
      return form === 'nine' ? `0${digits(8)}` : `${1 + next(9)}${digits(7 + next(4))}`
    case 'iban': {
      const [country, size] = pick([
        ['DE', 18],
        ['NL', -1],
        ['FR', 23],
        ['ES', 20],
      ] as const)
      const body = size === -1 ? `${some(UPPER, 4)}${digits(10)}` : digits(size)
      const rest = Array.from(`${body}${country}00`).reduce(
        (left, char) => Number(`${left}${/\d/.test(char) ? char : char.charCodeAt(0) - 55}`) % 97,
        0,
      )
      const value = `${country}${two(98 - rest)}${body}`
      return form === 'spaced' ? value.match(/.{1,4}/g)!.join(' ') : value
    }
    case 'address':
      if (form === 'de')
        return `${pick(['Lindenstraße', 'Am Markt', 'Goethestr.', 'Ahornweg', 'Bergmannstraße', 'Kastanienallee'])} ${number()}`
      if (form === 'fr')
        return `${number()} ${pick(['rue des Lilas', 'avenue Victor Hugo', 'boulevard de la République', 'rue du Faubourg'])}`
      if (form === 'es') return `${pick(['Calle de Alcalá', 'Avenida de América', 'Calle Mayor'])} ${number()}`
      if (form === 'it') return `${pick(['Via Garibaldi', 'Corso Vittorio Emanuele', 'Piazza Dante'])} ${number()}`
      if (form === 'pt') return `${pick(['Rua das Flores', 'Avenida Paulista', 'Rua Augusta'])}, ${number()}`
      if (form === 'nl') return `${pick(['Prinsengracht', 'Dorpsstraat', 'Beethovenlaan'])} ${number()}`
      return `${number()} ${pick(['Maple Street', 'Oak Ave', 'Washington Blvd', 'Elm Road', 'W 42nd St', 'Sunset Drive', 'Pine Lane'])}`
    case 'zip':
      return form === 'uk'
        ? `${pick(['SW', 'EC', 'NW'])}${1 + next(9)}A ${1 + next(9)}${some('ABDEFGHJ', 2)}`
        : `${1 + next(9)}${digits(4)}`
    case 'city':
      return pick(['Springfield', 'Hamburg', 'Lyon', 'Sevilla', 'Torino', 'Porto', 'Utrecht', 'San Mateo', 'Bad Homburg', 'New Haven'])
    case 'country':
      return pick(['Germany', 'France', 'Spain', 'Italien', 'Brasil', 'Netherlands', 'United Kingdom', 'Canada'])
    case 'ip':
      return form === 'v6'
        ? `2a02:${some(HEX, 4)}:${some('123456789abcdef', 3)}::${some('123456789', 2)}`
        : `${pick(['81', '93', '104', '151', '185', '203'])}.${10 + next(200)}.${next(255)}.${1 + next(250)}`
    case 'mrn':
      return pick([() => digits(7).replace(/^0/, '7'), () => `MR${digits(6)}`, () => `${some(UPPER, 1)}-${digits(6)}`])()
    case 'plan':
      return pick([() => `${some(UPPER, 3)}${digits(9)}`, () => `${some('ABCDE', 1)}${digits(9)}`, () => `1EG4-TE5-MK${two(next(99))}`])()
    case 'condition':
      return pick(['diabetes', 'asthma', 'hypertension', 'depression', 'epilepsy', 'hepatitis C', 'migraine', 'multiple sclerosis'])
    case 'username':
      return pick(['mkeller', 'okafor', 'j.moreau', 'priya', 'lindqvist', 'drossi', 'ytanaka', 'ewan_n', 'tdlamini', 'bramv'])
    case 'hostname':
      return form === 'internal'
        ? `${pick(['db1', 'wiki', 'ci-master', 'pg-main'])}.${pick(['acme.internal', 'corp.lan', 'prod.local', 'office.intranet'])}`
        : pick(['mk-thinkpad', 'martas-mbp', 'ws-0142', 'falcon-x1', 'desk-7f2', 'jonas-xps13'])
    case 'password':
      return pick([
        () => `${some(ALNUM, 9)}!${digits(2)}`,
        () => `${pick(['Winter', 'Tiger', 'Blau', 'Kaffee'])}${digits(4)}!`,
        () => `hunter${digits(3)}x`,
        () => `${some('abcdefghjk', 6)}-${some('mnopqrst', 5)}-${digits(3)}`,
        () => some(ALNUM, 16),
      ])()
    case 'key':
      return key(form, some)
    case 'token':
      return some(ALNUM, 24 + next(20))
    case 'aws_secret':
      return some(`${ALNUM}/+`, 40)
    case 'jwt':
      return `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(`{"sub":"${digits(8)}","iat":17${digits(8)}}`).toString('base64url')}.${some(`${ALNUM}-_`, 43)}`
    case 'basic':
      return Buffer.from(`svc:${some(ALNUM, 12)}`).toString('base64')
    case 'pem': {
      const lines = Array.from({ length: 5 }, () => some(`${ALNUM}+/`, 64))
      const kind = pick(['RSA PRIVATE KEY', 'PRIVATE KEY', 'OPENSSH PRIVATE KEY', 'EC PRIVATE KEY'])
      return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`].join(form === 'json' ? String.raw`\n` : '\n')
    }
    case 'sha':
      return some(HEX, form === 'short' ? 7 : form === 'six' ? 6 : 40)
    case 'hash':
      return some(HEX, form === undefined ? 64 : Number(form))
    case 'uuid':
      return [8, 4, 4, 4, 12].map((count) => some(HEX, count)).join('-')
    case 'version':
      return `${1 + next(20)}.${next(30)}.${next(30)}`
    case 'int':
      return String(1 + next(900))
    case 'ms':
      return `17${digits(11)}`
    case 'port':
      return String(3000 + next(6000))
    case 'word':
      return pick(['lodash', 'router', 'parser', 'stream', 'vitest', 'button', 'payload', 'widget'])
    case 'hex':
      return some(HEX, 64)
    default:
      return some(`${ALNUM}+/`, 86)
  }
}

function key(form: string | undefined, some: (alphabet: string, count: number) => string): string {
  const A = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
  const H = '0123456789abcdef'
  const U = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const forms: Record<string, () => string> = lookup({
    openai: () => `sk-proj-${some(A, 48)}`,
    anthropic: () => `sk-ant-api03-${some(A, 93)}AA`,
    github: () => `ghp_${some(A, 36)}`,
    aws: () => `AKIA${some(U, 16)}`,
    stripe: () => `sk_live_${some(A, 24)}`,
    slack: () => `xoxb-${some('123456789', 12)}-${some(A, 24)}`,
    google: () => `AIza${some(A, 35)}`,
    npm: () => `npm_${some(A, 36)}`,
    hf: () => `hf_${some(A.slice(0, 52), 34)}`,
    nvidia: () => `nvapi-${some(A, 64)}`,
    gitlab: () => `glpat-${some(A, 20)}`,
    sendgrid: () => `SG.${some(A, 22)}.${some(A, 43)}`,
    twilio: () => `SK${some(H, 32)}`,
    digitalocean: () => `dop_v1_${some(H, 64)}`,
    pypi: () => `pypi-AgEIcHlwaS5vcmc${some(A, 80)}`,
    telegram: () => `${some('123456789', 9)}:AA${some(A, 33)}`,
    groq: () => `gsk_${some(A, 52)}`,
    shopify: () => `shpat_${some(H, 32)}`,
    databricks: () => `dapi${some(H, 32)}`,
  })
  return forms[form ?? 'github']!()
}
