/** Placeholders, which are no real secrets or names. */
import { PII_TYPES } from '#contracts/entities/privacy.ts'

/** What we have put in place of a value: `[PHONE_1]`, also without its end, and `phone-0123456789abcdef`. */
const OURS = new RegExp(
  String.raw`\[(?:${PII_TYPES.join('|').toUpperCase()})_\d{1,9}|(?<![a-z])(?:${PII_TYPES.join('|').replaceAll('_', '-')})-[0-9a-f]{16}(?![0-9a-f])`,
)

const WORDS = new Set(
  `your you my mine our the a an some any this that here insert enter put put replace replaced replaceme change changeme changeit changethis me it to with
  todo fixme tbd example examples sample dummy fake mock test tests testing placeholder redacted hidden masked removed secret secrets secretkey
  password passwd pass pwd passphrase passwort kennwort token tokens key keys apikey api auth access id client user username name value string text
  none null nil undefined true false yes no on off empty unset default optional required not set is of for from in real actual new old
  foobared foo bar baz qux abc xyz abcd def xxx xxxx host hostname localhost port database db dbname email mail app server url base
  personal private public bearer basic env var variable config setting settings credential credentials sensitive data long random very super strong
  anthropic openai github gitlab stripe aws google azure slack hf huggingface sk pk live prod dev
  geheim contrasena contraseña senha clave motdepasse wachtwoord parola parolachiave ihr dein votre tu su seu uw jouw mot de passe`.split(
    /\s+/,
  ),
)

const SHAPES =
  /^(?:[x*.•●#_\-=?0…]+|(.)\1{3,}|<[^<>]*>?|\[[^\]]*\]|\{\{.*|\$[\w{(].*|.*\$\{.*|.*\{\{.*|%[\w({].*|@@.*|__\w+__|:\w+|\?+|(?:1234567890?|123456|12345|1234|123|abc123|0123456789(?:abcdef)?))$/i
const SYMBOLS =
  /\[[A-Z][A-Z_\d]{2,}\]|x{5,}|\*{3,}|\.{3,}|…|•{2,}|(?:your|my|insert|replace|change|example|placeholder|redacted|dummy|goes|here)[-_ .]|[-_ .](?:here|placeholder|example|redacted)\b|EXAMPLE|REDACTED|PLACEHOLDER|CHANGEME|change-?me|changeit/i

const CACHE_SIZE = 10_000
const CACHED_CHARS = 64
const cache = new Map<string, boolean>()

/** Short values repeat, so results are cached. */
export function isPlaceholder(value: string): boolean {
  if (value.length > CACHED_CHARS) return matchesPlaceholder(value)
  const cached = cache.get(value)
  if (cached !== undefined) return cached
  const isMatch = matchesPlaceholder(value)
  if (cache.size >= CACHE_SIZE) cache.clear()
  cache.set(value, isMatch)
  return isMatch
}

function matchesPlaceholder(value: string): boolean {
  const bare = value.trim()
  if (bare.length < 3 || SHAPES.test(bare) || bare.startsWith('<') || bare.startsWith('[')) return true
  if (OURS.test(bare)) return true
  if (bare.length > 200) return false
  if (SYMBOLS.test(bare) && !/^[A-Za-z0-9+/]{60,}/.test(bare)) return true
  const words = bare.split(/[^\p{L}\d]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\d{1,4}$)/u)
  return words.every((word) => word === '' || /^(?:\d{1,3}|1234)$/.test(word) || WORDS.has(word.toLowerCase()))
}

/** Bits per character. */
export function entropyOf(value: string): number {
  const counts = new Map<number, number>()
  for (let index = 0; index < value.length; index += 1) {
    const code = value.charCodeAt(index)
    counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
