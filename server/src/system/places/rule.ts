import { fileURLToPath } from 'node:url'
import type { Implementation, Input } from '#contracts/derive/route.ts'
import type { ConfirmedChange } from '#contracts/entities/confirmation.ts'
import { AppError } from '#contracts/errors.ts'
import { type NamedPlace, type PlaceMark, placesIn, titleOf } from '#contracts/places.ts'
import { realPath } from '#server/real-path.ts'
import type { StoredPlaces } from '#server/stages/stage.ts'
import type { Confirmations } from '../confirmations/confirmations.ts'
import { isHere, isHereOnly, isPackageSource, isPublicRepository } from './addresses.ts'
import type { PathRule } from './paths.ts'

export interface PlaceRuleDeps {
  paths: PathRule
  confirmations: Pick<Confirmations, 'require'>
  stored: Partial<StoredPlaces>
  /** Folders with models that the app itself lists. */
  modelShelves: () => readonly string[]
}

interface Assessed {
  /** What the handler gets instead of the value; null: the value itself. */
  real: string | null
  mustAsk: boolean
  /** Whether it would not be asked for in a trusted folder. */
  canTrust?: boolean
}

/**
 * The one rule for what a caller with a session key may name: its own paths in the home folder that are not hidden, addresses
 * of this machine, and well-known public ones. Anything else needs the owner's confirmation. It follows the marks of the
 * contract, so it holds for every route. Handlers get paths without links, so a link that changes afterwards has no effect.
 */
export function underPlaceRule(implementations: readonly Implementation[], deps: PlaceRuleDeps): Implementation[] {
  const assess = assessWith(deps)
  return implementations.map((implementation) => {
    const { route, trusted } = implementation
    return {
      ...implementation,
      async handle(input) {
        const call: Parts = { params: input.params, query: input.query, body: input.body }
        const named = PARTS.flatMap((part) => placesIn(route[part], call[part]).map((place) => ({ part, place })))
        const stored = await storedPlaces(implementation, input, deps.stored)
        if (named.length === 0 && stored.length === 0) return implementation.handle(input)

        const known = trusted?.() ?? []
        const copies: Parts = structuredClone(call)
        const changes: ConfirmedChange[] = []
        const exactly: string[] = []
        const asked: { mark: PlaceMark; canTrust: boolean }[] = []
        const add = ({ mark, value }: NamedPlace, { real, mustAsk, canTrust = false }: Assessed, from: string | null) => {
          if (!mustAsk) return
          changes.push({ what: mark.what, from, to: shown(mark, value, real) })
          exactly.push(real ?? value)
          asked.push({ mark, canTrust })
        }
        for (const { part, place } of named) {
          const assessed = assess(place)
          if (assessed.real !== null) put(copies[part], place.at, assessed.real)
          const before = known.map((one) => at(one, place.at))
          if (before.some((value) => isTrusted(value, place.value, assessed.real))) continue
          add(place, assessed, wordsFor(place.mark, before[0]))
        }
        for (const place of stored) add(place, assess(place), null)

        deps.confirmations.require(input.caller, distinct(changes), {
          title: titleOf(asked.map(({ mark }) => mark)),
          exactly: JSON.stringify([...new Set(exactly)]),
          canTrust: asked.some(({ canTrust }) => canTrust),
          isRepeatable: route.method === 'get' || route.onlyLooks === true,
        })
        return implementation.handle({ ...input, ...copies } as typeof input) // the same fields as the parsed parts
      },
    }
  })
}

const PARTS = ['params', 'query', 'body'] as const
type Parts = Record<(typeof PARTS)[number], unknown>

async function storedPlaces(
  { route }: Implementation,
  input: Input<Implementation['route']>,
  stored: Partial<StoredPlaces>,
): Promise<NamedPlace[]> {
  if (typeof route.stored !== 'string' || input.caller.kind === 'owner') return []
  const placesOf = stored[route.stored]
  if (!placesOf) throw new Error(`No stage says which places a stored ${route.stored} names.`)
  const values = await placesOf(input)
  return values.flatMap(({ schema, value }) => placesIn(schema, value))
}

/** Assesses one value of a request. Throws `path_refused`, `invalid_request`. */
const assessWith =
  ({ paths, modelShelves }: PlaceRuleDeps) =>
  ({ mark, value }: NamedPlace): Assessed => {
    const asPath = (text: string, isFolder: boolean): Assessed => {
      const real = realPath(text)
      const repository = mark.withRepository ? paths.repositoryOf(real) : real
      if (mark.always) return { real, mustAsk: true }
      const asked = [real, repository].filter((one) => paths.mustAsk(one, isFolder))
      return { real, mustAsk: asked.length > 0, canTrust: asked.length > 0 && asked.every((one) => paths.whyNeverTrusted(one) === null) }
    }
    switch (mark.kind) {
      case 'file':
      case 'folder':
        return mark.orName && !value.startsWith('/') ? HARMLESS : asPath(value, mark.kind === 'folder')
      case 'model': {
        if (mark.orName && !value.startsWith('/')) return HARMLESS
        const assessed = asPath(value, true)
        return paths.isIn(assessed.real!, modelShelves()) ? HARMLESS : assessed
      }
      case 'repository': {
        const folder = value.startsWith('file:///') ? localPath(value) : value.startsWith('/') ? value : null
        return folder === null ? { real: null, mustAsk: !isPublicRepository(value) } : asPath(folder, true)
      }
      case 'address':
        return { real: null, mustAsk: !isHere(value) }
      case 'listen':
        return { real: null, mustAsk: !isHereOnly(value) }
      case 'reach':
        return { real: null, mustAsk: !isPackageSource(value) }
      case 'asked': {
        if (/\p{Cc}/u.test(value))
          throw new AppError('invalid_request', {
            message: `"${mark.what}" contains a line break or another control character, which could hide a part of the question. Remove it.`,
          })
        return { real: null, mustAsk: !(mark.harmless ?? []).includes(value) }
      }
      default:
        return mark.kind satisfies never
    }
  }

const HARMLESS: Assessed = { real: null, mustAsk: false }

function localPath(address: string): string {
  try {
    return fileURLToPath(address)
  } catch (cause) {
    throw new AppError('path_refused', { message: `${address} is not the address of a folder.`, cause })
  }
}

/** Whether a value is the same in a trusted one. In a list, the position does not matter. */
const isTrusted = (before: unknown, value: string, real: string | null): boolean =>
  Array.isArray(before) ? before.includes(value) || before.includes(real) : textOf(before) === value

/** The value at a place; the whole list for a place in a list. */
function at(value: unknown, keys: readonly (string | number)[]): unknown {
  let one = value
  for (const key of keys) {
    if (typeof key === 'number') return one
    one = typeof one === 'object' && one !== null ? (one as Record<string, unknown>)[key] : undefined
  }
  return one
}

function put(value: unknown, keys: readonly (string | number)[], text: string): void {
  let one = value as Record<string | number, unknown> // a copy of what the places were found in
  for (const key of keys.slice(0, -1)) one = one[key] as Record<string | number, unknown>
  one[keys.at(-1)!] = text
}

/** The text of a value that may be a place; null for others. */
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : typeof value === 'boolean' ? String(value) : null)

function wordsFor({ words }: PlaceMark, value: unknown): string | null {
  const text = textOf(value)
  return text === null ? null : (words?.[text] ?? text)
}

/** A path through a link or ".." is shown with where it leads. */
const shown = (mark: PlaceMark, value: string, real: string | null): string =>
  real === null || real === value ? wordsFor(mark, value)! : `${value} (leads to ${real})`

const distinct = (changes: readonly ConfirmedChange[]): ConfirmedChange[] => [
  ...new Map(changes.map((change) => [`${change.what}\0${change.to}`, change])).values(),
]
