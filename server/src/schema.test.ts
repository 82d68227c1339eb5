import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { collectSchemas, keeps } from './db/schema.ts'
import { schema } from './schema.ts'

const root = import.meta.dirname

/** The part that a source file belongs to; null: it belongs to none (tests, migrations, the composition). */
function partOf(file: string): string | null {
  if (/\.test\.ts$|\/testing|^testing|\/fixtures\/|\/migrations\//.test(file)) return null
  return /^stages\/([^/]+)\//.exec(file)?.[1] ?? /^([^/]+)\//.exec(file)?.[1] ?? null
}

const CORE = new Set(['db', 'events', 'jobs', 'system']) // system owns `settings`

test('no part has a table of another in its SQL, but to read what the other publishes', () => {
  const faults: string[] = []
  let seen = 0
  for (const file of fs.readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const part = file.endsWith('.ts') ? partOf(file) : null
    if (part === null) continue
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    for (const [whole, verb, name] of text.matchAll(/\b(DELETE FROM|FROM|JOIN|INTO|UPDATE)\s+(?:main\.)?"?([a-z_]+)\b/g)) {
      const table = schema.tables.get(name!)
      if (!table) continue
      seen += 1
      const isOwn = table.owner === part || (table.owner === 'core' && CORE.has(part))
      const reads = verb === 'FROM' || verb === 'JOIN'
      if (!isOwn && !(reads && schema.published.has(name!))) faults.push(`${file}: ${whole} (of ${table.owner})`)
    }
  }
  expect(faults).toEqual([])
  expect(seen).toBeGreaterThan(200)
})

test('schemas that contradict each other are refused', () => {
  const step = (number: number) => ({ number, name: `m${number}`, sql: '' })
  expect(() => collectSchemas({ a: { own: { x: keeps('a test') }, migrations: [] }, b: { derived: ['x'], migrations: [] } })).toThrow(
    'The table x is declared by a and by b.',
  )
  expect(() => collectSchemas({ a: { migrations: [step(1), step(3)] } })).toThrow(/m3 has number 3; the next is 2/)
  expect(collectSchemas({ a: { migrations: [step(2)] }, b: { migrations: [step(1)] } }).migrations.map(({ name }) => name)).toEqual([
    'm1',
    'm2',
  ])
})
