/** Passes every text of a request through the privacy gate of its run, and removes what cannot be searched. */
import { jsonOf } from '../../tools/json.ts'
import type { ClearTexts, KeyedText } from '../types.ts'
import { isObject, isText, typeIn } from './shape.ts'

type Body = Record<string, unknown>
/** Makes a part of the request from the cleared texts. */
type Rebuild = (cleared: readonly string[]) => unknown

/** Names and ids, which the endpoint compares, and what only it can read. */
const FIXED = new Set([
  'call_id',
  'encrypted_content',
  'id',
  'media_type',
  'model',
  'name',
  'namespace',
  'phase',
  'role',
  'signature',
  'status',
  'tool_call_id',
  'tool_name',
  'tool_use_id',
  'type',
])
/** Inside these, names are chosen by the model or a tool, and every one labels its value. */
const DATA = new Set(['input', 'arguments'])
/** Made of names and rules, among which no value is fixed. */
const SCHEMAS = new Set(['logit_bias', 'input_schema', 'parameters', 'input_examples', 'format', 'output_format', 'response_format'])
/** Smaller numbers are no secrets. */
const LONG_NUMBER = 1_000_000

interface Place {
  key: string | null
  isData: boolean
  /** Inside values without a form of the API. */
  isFree: boolean
}

/** Rejects if `clear` does. */
export async function withoutSecrets(body: Body, clear: ClearTexts, removed: (name: string) => void, signal: AbortSignal): Promise<Body> {
  const texts: KeyedText[] = []
  const textAt = (text: string, { key, isData }: Omit<Place, 'isFree'>): ((cleared: readonly string[]) => string) => {
    const index = texts.push({ key, text, isData }) - 1
    return (cleared) => cleared[index]!
  }

  const visit = (value: unknown, place: Place): Rebuild => {
    if (isText(value)) return place.key === 'arguments' && !place.isFree ? argumentsAt(value) : textAt(value, place)
    if (typeof value === 'number' && Math.abs(value) >= LONG_NUMBER) {
      const text = textAt(String(value), place)
      return (cleared) => (text(cleared) === String(value) ? value : text(cleared))
    }
    if (Array.isArray(value)) {
      const items = value.map((item: unknown) => visit(item, place))
      return (cleared) => items.map((item) => item(cleared))
    }
    if (!isObject(value)) return () => value
    return place.isFree ? freeObject(value, place) : objectOf(value)
  }
  const objectOf = (value: Body): Rebuild => {
    const instead = insteadOf(value, removed)
    if (instead !== null) return () => instead
    const type = typeIn(value)
    const fields = Object.entries(value).map(([key, inner]): [string, Rebuild] => {
      const isFixed = FIXED.has(key) || isOpaque(type, key, value)
      if (isFixed && !isObject(inner)) return [key, () => inner]
      const isData = DATA.has(key) && type !== null // the field `input` of a whole request is no call
      return [key, visit(inner, { key, isData, isFree: (isData && !isText(inner)) || SCHEMAS.has(key) })]
    })
    return (cleared) => Object.fromEntries(fields.map(([key, inner]) => [key, inner(cleared)]))
  }
  const freeObject = (value: Body, place: Place): Rebuild => {
    const fields = Object.entries(value).map(([key, inner]) => ({
      key: textAt(key, { ...place, key: null }),
      inner: visit(inner, { ...place, key }),
    }))
    return (cleared) => {
      const made: [string, unknown][] = []
      const names = new Set<string>()
      for (const { key, inner } of fields) {
        let name = key(cleared)
        for (let number = 2; names.has(name); number += 1) name = `${key(cleared)}_${number}`
        names.add(name)
        made.push([name, inner(cleared)])
      }
      return Object.fromEntries(made)
    }
  }
  /** JSON of a call, in which a key over several lines has no lines. */
  const argumentsAt = (text: string): Rebuild => {
    const value = jsonOf(text)
    if (!isObject(value)) return textAt(text, { key: 'arguments', isData: true })
    const inner = freeObject(value, { key: null, isData: true, isFree: true })
    return (cleared) => {
      const after = JSON.stringify(inner(cleared))
      return after === JSON.stringify(value) ? text : after
    }
  }

  const rebuild = objectOf(body)
  const cleared = await clear(texts, signal)
  if (cleared.length !== texts.length) throw new Error('the search returned another number of texts')
  return rebuild(cleared) as Body
}

/** What the endpoint made: it refuses a changed text with its signature. */
const isOpaque = (type: string | null, key: string, value: Body): boolean =>
  (type === 'redacted_thinking' && key === 'data') ||
  (type === 'thinking' && key === 'thinking' && isText(value['signature']) && value['signature'] !== '')

/** A text in the place of an image or a file; null if the part can be searched. */
function insteadOf(value: Body, removed: (name: string) => void): Body | null {
  const type = typeIn(value)
  const isFile = type === 'image' || type === 'image_url' || type === 'input_image' || (type === 'document' && typeIn(value['source']) === 'base64') // prettier-ignore
  if (!isFile) return null
  removed(`${type}, which cannot be searched for secrets`)
  const { cache_control: mark } = value
  return {
    type: type === 'input_image' ? 'input_text' : 'text',
    text: `[${type}: removed by Bash Gym, because it cannot be searched for secrets]`,
    ...(mark !== undefined && { cache_control: mark }),
  }
}
