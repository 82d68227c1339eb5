/** Deeper than any real tool input or result; what walks over values by recursion stays far from the end of the stack. */
export const MAX_DEPTH = 200
/** Stands instead of what is nested deeper. */
export const TOO_DEEP = '[nested too deep to be shown]'

export interface Shallow {
  value: unknown
  /** Something was nested deeper than MAX_DEPTH and was replaced. */
  isCut: boolean
}

/**
 * JSON from outside, at most MAX_DEPTH levels of it. `JSON.parse` itself follows any depth; what comes after it (copying to
 * another thread, JSON.stringify, our own readers) does not. Throws what `JSON.parse` throws.
 */
export function parseShallow(text: string): Shallow {
  const value: unknown = JSON.parse(text)
  return { value, isCut: cutBelow(value) }
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
          Object.defineProperty(fields, key, { value: TOO_DEEP, writable: true, enumerable: true, configurable: true }) // also if the key is "__proto__"
        }
      }
    }
    level = next
  }
  return isCut
}
