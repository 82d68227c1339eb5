import type { ArchiveFinding, PiiType, PrivacyAction, PrivacyScope, ReplaceStrategy } from '#contracts/entities/privacy.ts'

interface TypeWords {
  type: PiiType
  label: string
  /** How it is detected, in one line. */
  how: string
}

/** Every type under its heading, as Settings and the review list them. */
export const PRIVACY_CATEGORIES: readonly { id: string; label: string; types: readonly TypeWords[] }[] = [
  {
    id: 'secrets',
    label: 'Secrets',
    types: [
      { type: 'api_key', label: 'API key', how: "The prefix, alphabet and length of each provider's keys." },
      { type: 'auth_token', label: 'Access token', how: 'JSON Web Tokens, cookies, and values after Bearer, Basic or Token.' },
      { type: 'password', label: 'Password', how: 'Values next to a word such as password, in a URL, or after -p and -u.' },
      { type: 'private_key', label: 'Private key', how: 'PEM blocks, and one-line keys of wallets and tools.' },
      { type: 'connection_string', label: 'Connection string', how: 'Database addresses that contain a password.' },
      { type: 'secret', label: 'Other secret', how: 'Random-looking values next to a name such as secret or credential.' },
    ],
  },
  {
    id: 'people',
    label: 'People and contact details',
    types: [
      { type: 'person', label: 'Person', how: 'Names next to a label, greeting or e-mail address, in a signature or in git blame.' },
      { type: 'email', label: 'E-mail address', how: 'E-mail addresses, except placeholders such as those at example.com.' },
      { type: 'phone', label: 'Phone number', how: 'International numbers, and national formats used only for phone numbers.' },
      { type: 'username', label: 'User name', how: 'In home folders, URLs and file listings; also your user name on this machine.' },
      { type: 'date_of_birth', label: 'Date of birth', how: 'Dates next to a word such as born.' },
    ],
  },
  {
    id: 'places',
    label: 'Places',
    types: [
      { type: 'address', label: 'Street address', how: 'Street name and number, in seven languages.' },
      { type: 'zip_code', label: 'Postal code', how: 'Next to a label, or as part of an address.' },
      { type: 'city', label: 'City', how: 'Next to a label, or as part of an address.' },
      { type: 'country', label: 'Country', how: 'Next to a label, or as part of an address.' },
    ],
  },
  {
    id: 'papers',
    label: 'IDs and health',
    types: [
      { type: 'ssn', label: 'Social security number', how: 'Issued formats and ranges, or a label and a valid checksum.' },
      { type: 'passport', label: 'Passport number', how: 'Letters and digits next to a label.' },
      { type: 'driver_license', label: 'Driving licence', how: 'Letters and digits next to a label.' },
      { type: 'mrn', label: 'Medical record number', how: 'Letters and digits next to a label.' },
      { type: 'health_plan', label: 'Health plan number', how: 'Letters and digits next to a label.' },
      { type: 'medical_condition', label: 'Medical condition', how: 'Known conditions or codes next to a word such as diagnosis.' },
    ],
  },
  {
    id: 'money',
    label: 'Money',
    types: [
      { type: 'credit_card', label: 'Card number', how: "An issuer's prefix and length, and a valid Luhn checksum." },
      { type: 'iban', label: 'IBAN', how: "The country's length and a valid mod-97 checksum." },
      { type: 'bank_account', label: 'Bank account', how: 'Digits next to a bank label.' },
    ],
  },
  {
    id: 'machines',
    label: 'Machines',
    types: [
      { type: 'ip_address', label: 'IP address', how: 'Valid addresses, except loopback and documentation ranges.' },
      { type: 'hostname', label: 'Host name', how: 'Internal names, names next to a label, and the name of this machine.' },
      { type: 'url', label: 'Internal address', how: 'URLs of internal hosts, or containing a token.' },
    ],
  },
  {
    id: 'times',
    label: 'Dates',
    types: [{ type: 'date', label: 'Date', how: 'Any calendar date. Off by default, because logs are full of them.' }],
  },
]

const LABELS = new Map<string, string>(PRIVACY_CATEGORIES.flatMap(({ types }) => types.map(({ type, label }) => [type, label])))

export const piiWord = (type: string): string => LABELS.get(type) ?? type

/** The types in the order in which they are listed. */
export const PII_ORDER: readonly PiiType[] = PRIVACY_CATEGORIES.flatMap(({ types }) => types.map(({ type }) => type))

const ACTIONS: Record<PrivacyAction, string> = { keep: 'Kept', redact: 'Redacted', replace: 'Replaced' }
export const actionWord = (action: string): string => ACTIONS[action as PrivacyAction] ?? action

const DECIDERS: Record<ArchiveFinding['decidedBy'], string> = {
  finding: 'you (this finding)',
  value: 'you (this value)',
  project: 'you (this type in this project)',
  type: 'you (this type)',
  policy: 'the policy',
}
export const deciderWord = (by: ArchiveFinding['decidedBy']): string => DECIDERS[by]

export const STRATEGIES: readonly { value: ReplaceStrategy; label: string; hint: string }[] = [
  { value: 'synthetic', label: 'Stand-in', hint: 'a plausible value of the same format, the same throughout a data set' },
  { value: 'redact', label: 'Label', hint: 'the type in brackets, such as [EMAIL]' },
  { value: 'mask', label: 'Mask', hint: 'asterisks in the same format' },
  { value: 'hash', label: 'Pseudonym', hint: 'the type and 16 hex digits, derived with a key of the data set' },
  { value: 'category', label: 'Category', hint: 'words such as "an e-mail address"' },
]
export const strategyWord = (strategy: string): string =>
  STRATEGIES.find(({ value }) => value === strategy)?.label ?? (strategy === 'kept' ? 'Kept' : strategy)

/** "E-mail address, in /home/me/calc": what a decision is about. */
export function scopeWord(on: PrivacyScope): string {
  switch (on.scope) {
    case 'finding':
      return 'one finding'
    case 'value':
      return 'one value, everywhere'
    case 'project':
      return `${piiWord(on.type)}, in ${on.project}`
    case 'type':
      return `${piiWord(on.type)}, everywhere`
    default:
      throw new Error(`unknown scope ${JSON.stringify(on satisfies never)}`)
  }
}
