import { z } from 'zod'

/**
 * What a field names. `file`, `folder`: a path of this machine; a folder counts with everything in it. `repository`: a path,
 * or an address that is cloned. `model`: a folder or file with a model, or its name. `address`: of a server that is called;
 * `listen`: one that we answer at; `reach`: host:port that programs in a sandbox may reach. `asked`: asked wherever it leads.
 */
export type PlaceKind = 'file' | 'folder' | 'repository' | 'model' | 'address' | 'listen' | 'reach' | 'asked'

/** A field of a request that names something outside Bash Gym. The rule for all of them is in server/src/system/places. */
export interface PlaceMark {
  kind: PlaceKind
  /** What the call does there, as the owner reads it: "Read rows from a file". */
  what: string
  /** The heading of the question, where that of the kind does not say it. */
  title?: string
  /** Of a path: a value that is not absolute is the name of something known. */
  orName?: boolean
  /** Of a folder: all of the repository that it is in is read. */
  withRepository?: boolean
  /** Of a folder: asked also where it need not be. */
  always?: boolean
  /** Of `asked`: the values that need no confirmation, and what values are called. */
  harmless?: readonly string[]
  words?: Readonly<Record<string, string>>
}

interface Mark {
  place?: PlaceMark
  /** Why a field whose name sounds like a place is none. */
  notAPlace?: string
}

const marks = z.registry<Mark>()

function marked<Schema extends z.ZodType>(schema: Schema, mark: Mark): Schema {
  const copy = z.core.clone(schema, schema._zod.def, { parent: true }) // the same schema elsewhere stays unmarked
  marks.add(copy, mark)
  return copy
}

const helper =
  (kind: PlaceKind) =>
  <Schema extends z.ZodType>(schema: Schema, what: string, more: Omit<PlaceMark, 'kind' | 'what'> = {}): Schema =>
    marked(schema, { place: { kind, what, ...more } })

export const fileField = helper('file')
export const folderField = helper('folder')
export const repositoryField = helper('repository')
export const modelField = helper('model')
export const addressField = helper('address')
export const listenField = helper('listen')
export const reachField = helper('reach')
/** Also for what is not a place but as risky: a program that is run, an address that gets a key. */
export const askedField = helper('asked')

/** For a field whose name sounds like a path or an address, with the reason why it is neither. */
export const notAPlace = <Schema extends z.ZodType>(schema: Schema, reason: string): Schema => marked(schema, { notAPlace: reason })

/** A marked value in a request. */
export interface NamedPlace {
  mark: PlaceMark
  value: string
  /** Keys and positions from the top of the request. */
  at: readonly (string | number)[]
}

/** The places that a parsed value names, as its schema marks them. Union members are all followed, so a mark is never missed. */
export function placesIn(schema: z.ZodType | undefined, value: unknown): NamedPlace[] {
  const found: NamedPlace[] = []
  if (schema) visit(schema, value, [], found)
  return found.filter(
    (one, index) => found.findIndex((other) => other.at.join('\0') === one.at.join('\0') && other.mark.what === one.mark.what) === index,
  )
}

function visit(schema: z.ZodType, value: unknown, at: readonly (string | number)[], found: NamedPlace[]): void {
  const place = marks.get(schema)?.place
  if (place) {
    if (typeof value === 'string' || typeof value === 'boolean') found.push({ mark: place, value: String(value), at })
    if (typeof value !== 'object') return
  }
  for (const part of partsOf(schema)) {
    if (part.at === 'same') visit(part.schema, value, at, found)
    else if (part.at === 'items' && Array.isArray(value)) value.forEach((item, index) => visit(part.schema, item, [...at, index], found))
    else if (part.at === 'values' && isFields(value))
      for (const [key, item] of Object.entries(value)) visit(part.schema, item, [...at, key], found)
    else if (typeof part.at === 'object' && isFields(value) && Object.hasOwn(value, part.at.key))
      visit(part.schema, value[part.at.key], [...at, part.at.key], found)
  }
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field with text of a schema: its path (`tasks[].directory`), its schema and its mark. */
export interface TextField {
  path: string
  schema: z.ZodType
  place: PlaceMark | null
  notAPlace: string | null
}

/** Every field of a schema that takes text or is marked, for the test that no route forgets the rule. */
export function textFieldsOf(schema: z.ZodType): TextField[] {
  const found = new Map<string, TextField>()
  const walk = (one: z.ZodType, path: string, above: readonly z.ZodType[], inherited: Mark): void => {
    if (above.includes(one)) return
    const mark = { ...inherited, ...marks.get(one) }
    const parts = partsOf(one)
    const { type } = one._zod.def
    if (parts.length === 0 && (type === 'string' || type === 'unknown' || type === 'any' || mark.place))
      found.set(`${path} ${mark.place?.what ?? ''}`, {
        path,
        schema: one,
        place: mark.place ?? null,
        notAPlace: mark.notAPlace ?? null,
      })
    for (const part of parts) {
      const suffix =
        part.at === 'same' ? '' : part.at === 'items' ? '[]' : part.at === 'values' ? '{}' : `${path === '' ? '' : '.'}${part.at.key}`
      walk(part.schema, path + suffix, [...above, one], part.at === 'same' || part.at === 'items' ? mark : {})
    }
  }
  walk(schema, '', [], {})
  return [...found.values()]
}

interface Part {
  schema: z.ZodType
  at: 'same' | 'items' | 'values' | { key: string }
}

/** The schemas inside a schema. A kind of schema that is unknown here is an error, because it could hide a mark. */
function partsOf(schema: z.ZodType): Part[] {
  const same = (...inner: z.core.$ZodType[]): Part[] => inner.map((one) => ({ schema: one as z.ZodType, at: 'same' }))
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([key, one]): Part => ({ schema: one as z.ZodType, at: { key } }))
      return def.catchall ? [...fields, { schema: def.catchall as z.ZodType, at: 'values' }] : fields
    }
    case 'array':
      return [{ schema: def.element as z.ZodType, at: 'items' }]
    case 'tuple':
      return def.items.map((one): Part => ({ schema: one as z.ZodType, at: 'items' }))
    case 'record':
      return [{ schema: def.valueType as z.ZodType, at: 'values' }]
    case 'union':
      return same(...def.options)
    case 'intersection':
      return same(def.left, def.right)
    case 'pipe':
      return same(def.in, def.out)
    case 'lazy':
      return same(def.getter())
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return same(def.innerType)
    case 'string':
    case 'number':
    case 'boolean':
    case 'bigint':
    case 'enum':
    case 'literal':
    case 'null':
    case 'undefined':
    case 'unknown':
    case 'any':
    case 'never':
    case 'void':
    case 'custom':
    case 'transform':
    case 'template_literal':
      return []
    default:
      throw new Error(`A request has a schema of the kind ${def.type}, in which places are not looked for.`)
  }
}

const TITLES: Readonly<Record<PlaceKind, string>> = {
  file: 'Confirm reading this file',
  folder: 'Confirm reading this folder',
  repository: 'Confirm cloning this repository',
  model: 'Confirm reading this model',
  address: 'Confirm sending to this address',
  listen: 'Confirm answering at this address',
  reach: 'Confirm access to this address',
  asked: 'Confirm this change',
}

/** The heading of a question about these fields. */
export function titleOf(asked: readonly PlaceMark[]): string {
  const titles = new Set(asked.map(({ kind, title }) => title ?? TITLES[kind]))
  return titles.size === 1 ? [...titles][0]! : 'Confirm all of this'
}

/** The same words wherever rows are read, so that one confirmation serves a look at a file and its import. */
export const READ_ROWS = 'Read rows from a file'
