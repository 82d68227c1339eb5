import { jsonOf } from '#server/adapters/tools/json.ts'

/** Fields of package.json that affect how tests run. */
const FIELDS = ['scripts', 'config', 'jest', 'mocha', 'vitest', 'ava', 'tap', 'nyc', 'c8', 'babel', 'browserslist', 'workspaces'] as const

type Package = Record<string, unknown>

/** The package.json after the change, but with the test-related fields from before. `isChanged`: whether the change modified those fields. */
export function packageOfChange(before: string | null, after: string | null): { text: string | null; isChanged: boolean } {
  const start = parsed(before)
  const end = parsed(after)
  if (end === null) return { text: before, isChanged: after !== before }
  const merged: Package = { ...end }
  for (const field of FIELDS) {
    delete merged[field]
    if (start?.[field] !== undefined) merged[field] = start[field]
  }
  return { text: JSON.stringify(merged, null, 2), isChanged: FIELDS.some((field) => !isEqual(start?.[field], end[field])) }
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

function parsed(text: string | null): Package | null {
  const value = jsonOf(text ?? 'null')
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Package) : null
}
