import type { ArchiveFinding, PiiType, PrivacyAction, PrivacyScope, ReplaceStrategy } from '#contracts/entities/privacy.ts'

interface TypeWords {
  type: PiiType
  label: string
  /** By what it is found, in one line. */
  how: string
}

/** Every type under its heading, as Settings and the review list them. */
export const PRIVACY_CATEGORIES: readonly { id: string; label: string; types: readonly TypeWords[] }[] = [
  {
    id: 'secrets',
    label: 'Secrets',
    types: [
      { type: 'api_key', label: 'API key', how: 'The prefix, alphabet and length that each provider gives its keys.' },
      { type: 'auth_token', label: 'Access token', how: 'JSON web tokens, cookies, and what follows Bearer, Basic or Token.' },
      { type: 'password', label: 'Password', how: 'The value beside a word such as password, in a URL, or after -p and -u.' },
      { type: 'private_key', label: 'Private key', how: 'PEM blocks, and keys that wallets and tools write in one line.' },
      { type: 'connection_string', label: 'Connection string', how: 'Database addresses with a password in them.' },
      { type: 'secret', label: 'Other secret', how: 'A value that looks drawn by chance, beside a telling name.' },
    ],
  },
  {
    id: 'people',
    label: 'People and how to reach them',
    types: [
      { type: 'person', label: 'Person', how: 'Names beside a label, a greeting, a mail address, in a signature or git blame.' },
      { type: 'email', label: 'E-mail address', how: 'The form of an address; examples such as example.com do not count.' },
      { type: 'phone', label: 'Phone number', how: 'International form, or a national form that is used for phones only.' },
      { type: 'username', label: 'User name', how: 'Home folders, URLs, file listings, and the name of the user of this machine.' },
      { type: 'date_of_birth', label: 'Date of birth', how: 'A date beside a word such as born.' },
    ],
  },
  {
    id: 'places',
    label: 'Places',
    types: [
      { type: 'address', label: 'Street address', how: 'Street word and number, as written in seven languages.' },
      { type: 'zip_code', label: 'Postal code', how: 'Beside a label, or as a part of an address.' },
      { type: 'city', label: 'City', how: 'Beside a label, or as a part of an address.' },
      { type: 'country', label: 'Country', how: 'Beside a label, or as a part of an address.' },
    ],
  },
  {
    id: 'papers',
    label: 'Papers and health',
    types: [
      { type: 'ssn', label: 'Social security number', how: 'Form and ranges that are given out, or a label and a checksum.' },
      { type: 'passport', label: 'Passport number', how: 'Letters and digits beside a label.' },
      { type: 'driver_license', label: 'Driving licence', how: 'Letters and digits beside a label.' },
      { type: 'mrn', label: 'Medical record number', how: 'Letters and digits beside a label.' },
      { type: 'health_plan', label: 'Health plan number', how: 'Letters and digits beside a label.' },
      { type: 'medical_condition', label: 'Medical condition', how: 'A known condition or code beside a word such as diagnosis.' },
    ],
  },
  {
    id: 'money',
    label: 'Money',
    types: [
      { type: 'credit_card', label: 'Card number', how: 'Prefix and length of an issuer, and the Luhn checksum.' },
      { type: 'iban', label: 'IBAN', how: 'Length of the country and the mod-97 checksum.' },
      { type: 'bank_account', label: 'Bank account', how: 'Digits beside a label of a bank.' },
    ],
  },
  {
    id: 'machines',
    label: 'Machines',
    types: [
      { type: 'ip_address', label: 'IP address', how: 'Valid addresses; loopback and those of documentation do not count.' },
      { type: 'hostname', label: 'Host name', how: 'Beside a label, internal names, and the name of this machine.' },
      { type: 'url', label: 'Internal address', how: 'URLs of internal hosts, or with a token in them.' },
    ],
  },
  { id: 'times', label: 'Times', types: [{ type: 'date', label: 'Date', how: 'Any calendar date. Off at first: logs are full of them.' }] },
]

const LABELS = new Map<string, string>(PRIVACY_CATEGORIES.flatMap(({ types }) => types.map(({ type, label }) => [type, label])))

export const piiWord = (type: string): string => LABELS.get(type) ?? type

/** The types in the order in which they are listed. */
export const PII_ORDER: readonly PiiType[] = PRIVACY_CATEGORIES.flatMap(({ types }) => types.map(({ type }) => type))

const ACTIONS: Record<PrivacyAction, string> = { keep: 'Kept', redact: 'Redacted', replace: 'Replaced' }
export const actionWord = (action: string): string => ACTIONS[action as PrivacyAction] ?? action

const DECIDERS: Record<ArchiveFinding['decidedBy'], string> = {
  finding: 'you, for this finding',
  value: 'you, for this value',
  project: 'you, for the type in this project',
  type: 'you, for the type',
  policy: 'the policy',
}
export const deciderWord = (by: ArchiveFinding['decidedBy']): string => DECIDERS[by]

export const STRATEGIES: readonly { value: ReplaceStrategy; label: string; hint: string }[] = [
  { value: 'synthetic', label: 'Stand-in', hint: 'another plausible value of the same form, the same one throughout a data set' },
  { value: 'redact', label: 'Label', hint: 'its type in brackets, such as [EMAIL]' },
  { value: 'mask', label: 'Mask', hint: 'asterisks in its form' },
  { value: 'hash', label: 'Pseudonym', hint: 'type and 16 hex digits, under a key of each data set' },
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
      return 'one value, wherever it stands'
    case 'project':
      return `${piiWord(on.type)}, in ${on.project}`
    case 'type':
      return `${piiWord(on.type)}, everywhere`
    default:
      throw new Error(`unknown scope ${JSON.stringify(on satisfies never)}`)
  }
}
