import { isOrdinaryWord } from '../people/names.ts'
import { entropyOf, isPlaceholder } from './placeholders.ts'
import { isRandomDotted, isRandomLetters } from './random-letters.ts'
import { isWordPassphrase } from './word-passphrases.ts'

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const PATH = /^(?:[~.]{0,2}\/|[A-Za-z]:\\|\w+:\/\/|\.\/|@[\w-]+\/)/
const DOTTED = /^(?!\w{1,8}\.(?=\w*\d)(?=\w*[A-Z])\w{16,}$)[A-Za-z_$][\w$]*(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]*)+$/
const CODE = /^!|[()[\]{};]|=>|^\$|^process\.|^os\.|^env\.|^import\b|^await\b|^new\b|^this\b|^self\b/
const TYPE =
  /^(?:string|str|text|varchar|char|bytes?|buffer|int|integer|number|bool|boolean|any|unknown|object|optional|option|secretstr|required|nullable|none|null|nil|true|false|undefined|void|self|this|props|args|input|field|hidden|hashed|encrypted|disabled|enabled|auto|always|never|prompt|ask|stdin|env|file|vault|incorrect|invalid|wrong|expired|missing|correct|mismatch|changed|reset|updated|failed|denied|accepted|protected|authentication|and|or|not|for|is|must|should|cannot|can|will|was|has|the|a|to|in|of|from|on|at|as|it)$/i

/** Whether a value consists of uncommon words joined by dots, hyphens or underscores: `korva_puusti`, `Zupa.Grzybowa1`. */
export function isCoinedPhrase(value: string): boolean {
  const words = value.split(/[._-]/)
  if (words.length > 5 || value.length < 8 || !words.every((word) => /^\p{L}*\d{0,4}$/u.test(word))) return false
  const letters = words.map((word) => word.replace(/\d+$/, '').toLowerCase()).filter((word) => word.length > 2)
  return (
    (words.length > 1 || /^\p{Ll}{8,}$/u.test(value)) &&
    letters.length > 0 &&
    letters.every((word) => !isOrdinaryWord(word)) &&
    !/^[A-Z_]+$/.test(value)
  )
}

/** Stored password hashes: bcrypt, argon2, crypt, MySQL. */
const HASHED = /^\$(?:2[abxy]|argon2\w*|[156y]|apr1|pbkdf2[\w-]*|scrypt)\$[\w./$,=+-]{20,200}$|^\*[0-9A-F]{40}$/

/** Whether a value may be a password, and not a type, call, variable or word of a sentence. */
export function looksLikePassword(value: string, how: { quoted: boolean; firm: boolean }): boolean {
  if (HASHED.test(value)) return true
  if (value.length < 4 || value.length > 200 || isPlaceholder(value) || TYPE.test(value)) return false
  if (/^[\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF]/.test(value)) return false // a sentence
  if (/^\{(?:S?SHA\d*|S?MD5|CRYPT|PBKDF2\S*|ARGON2)\}\S{16,}$/i.test(value)) return true
  if (
    /\s/.test(value) &&
    (!how.quoted || value.split(/\s+/).length > 6 || /[.:,]\s|[.…?]$/.test(value) || /^[A-Z][a-z]+ [a-z]+ /.test(value))
  )
    return false
  if (how.quoted) {
    if (/^\{[^{}]+\}$/.test(value)) return isEvidentPassword(value.slice(1, -1))
    if (/^[A-Za-z]+$/.test(value) && /^(?:new|old|confirm|current|repeat|enter|show|hide|forgot|reset)/i.test(value)) return false
    return (
      (!/^[a-z]+(?:[._-][a-z]+){2,}$/.test(value) || isWordPassphrase(value)) &&
      (!/^\$|[{}<>]|^(?:\/|\.\/|https?:)/.test(value) || isMixed(value)) &&
      (!/^[a-z]+[A-Z][a-z]+(?:[A-Z][a-z]+)*$/.test(value) || isRandomLetters(value))
    )
  }
  if (/^!\w+$/.test(value)) return false
  if (
    (DOTTED.test(value) && !isCoinedPhrase(value) && !isRandomDotted(value)) ||
    /^[\w$.]+[([{]/.test(value) ||
    /^[$%&({[<]/.test(value) ||
    /^\w+\(.*\)?$/.test(value) ||
    PATH.test(value)
  )
    return false
  if (/[,;]$/.test(value)) return looksLikePassword(value.slice(0, -1), how)
  if (/\d/.test(value) || /[^\w\s.,:;'"()-]/.test(value))
    return !/^\d{1,3}$/.test(value) && !/^[\d.]+(?:px|ms|s|em|%)?$/.test(value.replace(/^\d{4,}$/, 'x'))
  if (how.firm && (isCoinedPhrase(value) || isRandomLetters(value))) return true
  if (how.firm) return !/^[A-Z_]+$/.test(value) && !/^[a-z]+(?:_[a-z]+)+$/.test(value) && !/^[a-z]+[A-Z]/.test(value)
  return value.length >= 8 && /[a-z][A-Z]|-.*-/.test(value) && !/^[A-Z]*[a-z]+(?:[A-Z]+[a-z]*)+$/.test(value) && !/_/.test(value)
}

/** Whether letters of both cases, digits and symbols are mixed unlike in a template or element. */
const isMixed = (value: string) =>
  value.length >= 10 &&
  /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[^\s/${][^\s/]*$/.test(value) &&
  !/^[{<]|<\/?\w+>|\{\w*\}|\$\{|=>|%[sd]|\)\s*\{/.test(value) &&
  entropyOf(value) >= 3.2
const SIGNS = /[!@#$%^&*+=~?]/
/** Whether a value is recognisable as a password without context: letters, digits and symbols, mixed unlike in a word, name or version. */
export function isEvidentPassword(value: string): boolean {
  if (value.length < 6 || value.length > 64 || /\s/.test(value) || !/\p{L}/u.test(value) || !/\d/.test(value) || isPlaceholder(value))
    return false
  if (/^\w+\(|[(){}[\]<>"'`;|\\]|^[$%./-]|:\/\/|[?&]\w+=|^\w+=|^[\w.-]+@[\w-]+(?:\.[\w-]+)*$|==|!=|\+=|&&/.test(value)) return false
  if (SIGNS.test(value)) return /\p{L}{2}/u.test(value) && !/^[\d.,+*=%~^-]+\p{L}{0,3}$|^\p{L}{1,3}[+=]\d+$/u.test(value)
  return /[-_]/.test(value) && /\p{Lu}/u.test(value) && /\p{Ll}\d\p{Ll}/u.test(value)
}

/** Whether a value is long, has all classes of characters and is no code, like a WordPress salt. */
const isSalt = (value: string) =>
  value.length >= 32 &&
  value.length <= 100 &&
  /\d/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  (value.match(/[^A-Za-z0-9\s]/g) ?? []).length >= 8 &&
  !/[a-z]{6,}|=>|\)\s*\{|\w\(\w/.test(value) &&
  entropyOf(value) >= 4.6

/** Padded base64; the first character may be a slash. */
const KEY_BYTES = /^(?:[A-Za-z0-9+/]{4}){9,}(?:[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/
/** Whether a value has high entropy and is no identifier, path, address, version or sentence. `uuid`: whether UUIDs count. */
export function looksLikeSecret(value: string, how: { quoted: boolean; uuid: boolean; least: number }): boolean {
  if (value.length < how.least || value.length > 4096 || /\s/.test(value) || isPlaceholder(value)) return false
  if (UUID.test(value)) return how.uuid
  if (how.quoted && isSalt(value)) return true
  if (KEY_BYTES.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)) return true
  if (PATH.test(value) || (DOTTED.test(value) && !isRandomDotted(value)) || CODE.test(value)) return false
  if (
    /^[^@\s]+@[^@\s]+\.[a-z]+$/i.test(value) ||
    /^v?\d+(?:[.:-]\d+)*$/.test(value) ||
    /^\d{4}-\d\d-\d\dT/.test(value) ||
    /^sha\d+[-:]|^\$2[aby]\$|^\$argon2/.test(value)
  )
    return false
  if (value.length >= Math.max(16, how.least) && isRandomLetters(value)) return true
  const hasLetters = /[A-Za-z]/.test(value)
  const figures = value.replaceAll(/\D/g, '').length
  if (!hasLetters) return false
  const parts = value.split(/[-_.:/]/)
  if (parts.every((part) => /^(?:[a-z]+|[A-Z]+|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|\d{1,4}|v\d+|[a-z]+\d{1,2})?$/.test(part))) return false
  if (
    figures === 0 &&
    !(value.length >= 20 && /[a-z][A-Z].*[a-z][A-Z]/.test(value) && !/^(?:[a-z]+|[A-Z][a-z]{2,})(?:[A-Z][a-z]{2,})*$/.test(value)) &&
    !/[!@#$%^&*+=]/.test(value)
  )
    return false
  const least = /^[0-9a-f]+$/i.test(value) ? 2.6 : 3
  return entropyOf(value) >= Math.min(least, Math.log2(value.length) - 0.6)
}
