import type { Field } from './field.ts'
import { isUser } from '../machines/hosts.ts'
import { LABELS } from './labels.ts'
import { isOrdinaryWord } from '../people/names.ts'
import { isPlaceholder } from '../secrets/placeholders.ts'
import { isCoinedPhrase, isEvidentPassword, looksLikePassword, looksLikeSecret } from '../secrets/secret-values.ts'
import type { Report } from '../types.ts'
import { isWordPassphrase } from '../secrets/word-passphrases.ts'
import { sliceAt, type Check } from './value-check.ts'

export const secretCheck =
  (least: number, confidence: number): Check =>
  (field, report, text) => {
    if (CODES.has(field.phrase)) return shortCodes(field, report, text)
    if (PHRASES.test(field.phrase)) return seedPhrase(field, report, text)
    if (field.text.length < 8 && !AUTHORIZATION.test(field.phrase)) return
    if (/(?:licen[cs]e|activation|product|serial|registration|cd) (?:key|code)$/.test(field.phrase)) {
      if (!GROUPS.test(field.text) || !/\d/.test(field.text) || isPlaceholder(field.text)) return
      return report('secret', 'licence', field.start, field.end, 0.8)
    }
    if (/^[A-Z][A-Z_]{3,}=|^&\w+=|^#\{/.test(field.text)) return // the next name, or an expression in a string
    const userAndPassword = USER_AND_PASSWORD.test(field.phrase) || field.phrase === 'auth' ? USER_PASSWORD_PAIR.exec(field.text) : null
    if (
      userAndPassword !== null &&
      !/^\d{8}\//.test(userAndPassword[2]!) &&
      looksLikePassword(userAndPassword[2]!, { quoted: false, firm: true }) &&
      (isEvidentPassword(userAndPassword[2]!) || /\d/.test(userAndPassword[2]!))
    ) {
      const at = field.start + userAndPassword[1]!.length + 1
      if (isUser(userAndPassword[1]!)) report('username', 'pair', field.start, at - 1, 0.75)
      return report('password', 'pair', at, field.end, 0.8)
    }
    if (field.kind === 'token' && AUTHORIZATION.test(field.phrase)) {
      const scheme = SCHEMED.exec(text.slice(field.start, field.start + 600))
      if (scheme !== null && looksLikeSecret(scheme[1]!, { quoted: true, uuid: true, least: 16 })) {
        const at = field.start + scheme[0].length - scheme[1]!.length
        return report('auth_token', 'header', at, at + scheme[1]!.length, 0.85)
      }
    }
    if (field.text.length < 8 || (field.kind === 'token' && field.before.includes('public'))) return
    if (field.style === 'prose' && !field.quoted && !/\d/.test(field.text)) return
    if (/cookie/.test(field.phrase) && /^[\w.-]{1,80}=(?!=?$)/.test(field.text)) return // cookiesAt reads its pairs
    const isSecretName =
      /(?:auth|access|api|refresh|private) ?token$|secret|api|private|encryption|signing|access|hmac|webhook|client/i.test(
        `${field.before.join(' ')} ${field.phrase}`,
      )
    if (
      looksLikeSecret(field.text, {
        quoted: field.quoted,
        uuid:
          (field.style === 'env' && !PUBLIC_ID.test(field.before.join(' '))) ||
          (isSecretName && (field.kind !== 'token' || /(?:auth|access|api|refresh|private) ?token$/.test(field.phrase))),
        least,
      })
    )
      report('secret', 'secret name', field.start, field.end, confidence)
    else if (
      field.kind === 'secret' &&
      /secret|passphrase/.test(field.phrase) &&
      isWordPassphrase(field.text) &&
      (field.style === 'env' || SHOUTED.test(sliceAt(text, field.start - 60, field.start)))
    )
      report('secret', 'secret name', field.start, field.end, 0.75)
    else if (
      field.kind === 'secret' &&
      /secret|passphrase/.test(field.phrase) &&
      field.text.length >= 8 &&
      /\d/.test(field.text) &&
      (field.quoted || field.style === 'env' || SHOUTED.test(sliceAt(text, field.start - 60, field.start))) &&
      looksLikePassword(field.text, { quoted: field.quoted, firm: field.style === 'env' }) &&
      (!/^[\w-]+(?:\.[\w-]+)*$/.test(field.text.replaceAll(/\d+$/g, '')) ||
        MIXED.test(field.text) ||
        SHOUTED.test(sliceAt(text, field.start - 60, field.start)))
    )
      report('secret', 'secret name', field.start, field.end, 0.65)
  }

/** An upper-case setting name right before its value: `JWT_SECRET=`. */
const SHOUTED = /[A-Z\d]_[A-Z_]{3,}["']?\s?[:=]\s?["']?$/
const MIXED = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d[A-Za-z]).{8,}$/
const USER_AND_PASSWORD = /(?:basic auth|credentials?|creds|user ?pass|userpwd)$/
const USER_PASSWORD_PAIR = /^([A-Za-z][\w.@-]{1,39})[:/]([^\s"'`$<{/][^\s"'`<>{}]{5,100})$/
const AUTHORIZATION = /authorization|auth header|x auth/
/** `Token …`, `SSWS …`, `Api-Key …` of a header. */
const SCHEMED = /^(?:[A-Za-z][\w-]{1,24}[ =]{1,2}"?)([A-Za-z0-9_\-.~+/=]{16,500})(?=["'`\s\\]|$)/
/** Words that mark a token that grants no access. */
const PUBLIC_ID = /public|client id|request|trace|session id|csrf|device|message|page|next|continuation|sync|cancel/

const GROUPS = /^(?=.*[A-Z])[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,7}$|^(?=.*[A-Za-z])[A-Za-z\d+/=_-]{16,400}$/
const PHRASES = /mnemonic|bip39|(?:seed|recovery|backup|secret|wallet) (?:phrase|words)$/
const SEED_WORDS = /^(?:[a-z]{3,8}(?:,? |\n)){11,23}[a-z]{3,8}(?![a-z])/
/** The seed phrase of a wallet: twelve to twenty-four plain words. */
export function seedPhrase(field: Field, report: Report, text: string): void {
  const phrase = SEED_WORDS.exec(text.slice(field.start, field.start + 240))?.[0]
  if (phrase === undefined || /\b(?:your|the|and|of|here|goes|words?|phrase|is|for|with)\b/.test(phrase)) return
  report('secret', 'seed phrase', field.start, field.start + phrase.length, 0.9)
}

/** Labels of PINs and other short codes. */
const CODES = new Set(
  'pin|pin number|puk|puk code|otp|one time code|one time password|mfa code|2fa code|verification code|door code|alarm code|gate code|unlock code|safe code|voicemail pin|sim pin|card pin|atm pin|access code|security code|card security code|entry code|keypad code|lock code|lockbox code|login code|sms code|einmalcode|sicherheitscode|bestätigungscode|verifizierungscode|freischaltcode|code de vérification|code de confirmation|code de sécurité|código de verificación|código de confirmación|código de seguridad|codice di verifica|codice di conferma|código de verificação|verificatiecode|bevestigingscode|kod weryfikacyjny|confirmation code|authentication code|security pin|tan|mtan|recovery code|recovery codes|backup code|backup codes|two factor backup|2fa backup'.split(
    '|',
  ),
)
const CODE_LIST =
  /^["'[]?([A-Za-z\d]{4,8}(?:-[A-Za-z\d]{4,8}){0,3})(?:["']?[\s,]{1,3}["']?[A-Za-z\d]{4,8}(?:-[A-Za-z\d]{4,8}){0,3}(?![\w-])){0,15}/
function shortCodes(field: Field, report: Report, text: string): void {
  if (/recovery|backup/.test(field.phrase)) {
    const list = CODE_LIST.exec(text.slice(field.start, field.start + 300))?.[0] ?? ''
    for (const { 0: code, index } of list.matchAll(/[A-Za-z\d]+(?:-[A-Za-z\d]+)*/g)) {
      if (!/\d/.test(code) || code.length < 6) break
      report('secret', 'code', field.start + index, field.start + index + code.length, 0.75)
    }
    return
  }
  const code = /^(?:\d{3}[- ]\d{3}|\d{4,10}[#*]?)(?!\w|\.\d)/.exec(text.slice(field.start, field.start + 14))?.[0]
  if (code === undefined || /^(?:19|20)\d\d$|^0+$|^1234/.test(code)) return
  if (field.style === 'prose' || field.quoted || field.style === 'env' || field.style === 'assign')
    report('secret', 'code', field.start, field.start + code.length, 0.65)
}

/** Whether the field is a property alone on its line: `spring.mail.password=…`. */
const isProperty = (field: Field, text: string) =>
  !field.quoted &&
  field.style === 'assign' &&
  field.text.length >= 8 &&
  !/^[a-z]+$/.test(field.text) &&
  /(?:(?:^|\n)[a-z][\w-]*(?:\.[\w-]+){2,}[ \t]*[=:][ \t]*|\/:_password=)$/.test(sliceAt(text, field.start - 100, field.start)) &&
  /^[ \t]*(?:\r?\n|$)/.test(text.slice(field.end, field.end + 8))

/** Whether a made-up phrase fills the rest of its line. */
const endsLine = (field: Field, text: string) =>
  field.style === 'assign' &&
  !field.quoted &&
  isCoinedPhrase(field.text) &&
  /^[ \t]*(?:#|\r?\n|$)/.test(text.slice(field.end, field.end + 8))
/** Whether a value has three to eight words, at most half of them ordinary. */
const isPhrase = (value: string) => {
  const words = value.split(' ')
  return (
    words.length > 2 &&
    words.length < 9 &&
    words.every((word) => /^\p{L}{2,14}$/u.test(word)) &&
    words.filter(isOrdinaryWord).length * 2 <= words.length
  )
}

/** App passwords of mail providers: four groups of four letters. */
const SPACED_PASSWORD = /^[a-z]{4}(?: [a-z]{4}){3}(?![\w ])/
const PASSPHRASE = /^\p{L}[\p{L}-]{1,15}(?: \p{L}[\p{L}-]{1,15}){1,7}(?=[ \t]*(?:\r?\n|$))/u

export const password: Check = (field, report, whole) => {
  const appPassword = SPACED_PASSWORD.exec(sliceAt(whole, field.start, field.start + 24))
  if (appPassword !== null) return report('password', 'app password', field.start, field.start + appPassword[0].length, 0.85)
  if (field.style === 'env' && field.phrase.endsWith('phrase')) {
    const phrase = PASSPHRASE.exec(sliceAt(whole, field.start, field.start + 120))
    if (phrase !== null && !isPlaceholder(phrase[0]))
      return report('password', 'passphrase', field.start, field.start + phrase[0].length, 0.75)
  }
  if (!field.quoted && /^[A-Z][a-z]+(?:To)?-[A-Z][a-z]+[A-Z]\w+$|^(?:Get|Read|New|Convert\w*)-\w+$/.test(field.text)) return // a cmdlet
  if (field.style === 'call' && /^[a-z]+(?:[._][a-zA-Z]+)+$/.test(field.text)) return // the key of a message
  const isShortLabel = /^(?:pass|pw|clave|parola|mdp|psw|passw)$/.test(field.phrase)
  if (field.style === 'compare' && isShortLabel) return
  if (isShortLabel && (field.style === 'prose' || /\s/.test(field.text))) return
  if (/^(?:pass)$/.test(field.phrase) && field.identifier && field.style === 'assign' && !field.quoted && !/\d/.test(field.text)) return
  if (field.style === 'prose' && !field.quoted && (!/\d|[!@#$%^&*]/.test(field.text) || /^\d+$/.test(field.text))) return
  const firm = field.style === 'env' || field.style === 'flag' || isProperty(field, whole) || endsLine(field, whole)
  // hint text of a form field
  if (/^(?:is|are|can['’]?t|cannot|must|should|does|has|may|needs?|Show|Hide|Enter|Confirm|Repeat) /.test(field.text)) return
  if (/^\w+=(?:True|False|None|true|false|null)$|^0x[\da-f]{1,8}$/i.test(field.text)) return
  if (
    /--[\w-]+["'\x60]? $/.test(sliceAt(whole, field.start - 40, field.start)) &&
    /^[a-z]+$/.test(field.text) &&
    isOrdinaryWord(field.text)
  )
    return
  if (LABELS.get(field.text.toLowerCase()) === 'password') return // the word "password" in another language
  if (field.phrase.endsWith('phrase') && !field.quoted && field.style === 'assign') {
    const phrase = PASSPHRASE.exec(sliceAt(whole, field.start, field.start + 120))?.[0]
    if (phrase !== undefined && isPhrase(phrase)) return report('password', 'passphrase', field.start, field.start + phrase.length, 0.7)
  }
  if (field.phrase.endsWith('phrase') && field.quoted && isPhrase(field.text))
    return report('password', 'passphrase', field.start, field.end, 0.75)
  if (!looksLikePassword(field.text, { quoted: field.quoted, firm })) return
  if (field.style === 'call' && (/\s/.test(field.text) || /^[a-z]+$|^[A-Z][a-z]+$/.test(field.text))) return
  report('password', 'label', field.start, field.end, field.style === 'prose' || field.style === 'call' ? 0.75 : 0.88)
}

export const cvv: Check = (field, report, text) => {
  if (
    /^\d{3,4}$/.test(field.text) &&
    (field.style !== 'prose' ||
      (/^(?:cvv|cvc)2?$/.test(field.phrase) && /\d{4}|card|carte|tarjeta|karte/i.test(sliceAt(text, field.start - 80, field.start - 5))))
  )
    report('secret', 'card code', field.start, field.end, 0.75)
}
