import { parseExact } from './exact-json.ts'

/** Deeper than any real tool input or result, but safe for recursive code. */
export const MAX_DEPTH = 200
/** Replaces values that are nested deeper. */
export const TOO_DEEP = '[nested too deep to be shown]'

export interface Shallow {
  value: unknown
  /** True if something was nested deeper than MAX_DEPTH and was replaced. */
  isCut: boolean
  /** False if a number is kept as its text, because a double cannot hold it. */
  isExact: boolean
}

/**
 * Parses JSON from outside and replaces values deeper than MAX_DEPTH. `JSON.parse` accepts any depth, but copying to a
 * thread, JSON.stringify and our readers do not. Throws like `JSON.parse`.
 */
export function parseShallow(text: string): Shallow {
  const { value, isExact } = parseExact(text)
  return { value, isCut: cutBelow(value), isExact }
}

function cutBelow(root: unknown): boolean {
  if (typeof root !== 'object' || root === null) return false
  let isCut = false
  let level: object[] = [root]
  for (let depth = 1; level.length > 0; depth += 1) {
    const next: object[] = []
    for (const holder of level) {
      const fields = holder as Record<string, unknown>
      for (const key of Object.keys(fields)) {
        const inner = fields[key]
        if (typeof inner !== 'object' || inner === null) continue
        if (depth < MAX_DEPTH) next.push(inner)
        else {
          isCut = true
          Object.defineProperty(fields, key, { value: TOO_DEEP, writable: true, enumerable: true, configurable: true }) // works for the key "__proto__" too
        }
      }
    }
    level = next
  }
  return isCut
}
