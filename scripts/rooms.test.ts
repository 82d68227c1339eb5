import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) fs.rmSync(tree, { recursive: true })
})

/** Runs the check over a tree with these modules, each of them given as what it imports. */
function checked(modules: Record<string, string[]>): { code: number | null; complaints: string[] } {
  const tree = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-rooms-')))
  trees.push(tree)
  const { type, imports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  fs.writeFileSync(path.join(tree, 'package.json'), JSON.stringify({ type, imports }))
  fs.writeFileSync(path.join(tree, 'tsconfig.json'), '{}')
  for (const [file, imported] of Object.entries(modules)) {
    fs.mkdirSync(path.join(tree, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(tree, file), [...imported.map((name) => `import '${name}'`), 'export {}'].join('\n'))
  }
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts', 'rooms.mjs'), tree], { encoding: 'utf8' })
  return { code: status, complaints: stderr.split('\n').filter(Boolean).toSorted() }
}

it('names every import that goes where its room may not', () => {
  const { code, complaints } = checked({
    'contracts/src/shape.ts': ['./free.ts', '#server/db/rows.ts'],
    'server/src/workers/pool.ts': ['#contracts/free.ts'],
    'contracts/src/free.ts': [],
    'server/src/db/rows.ts': ['#server/jobs/queue.ts'],
    'server/src/jobs/queue.ts': ['#server/adapters/shell.ts'],
    'server/src/adapters/shell.ts': ['#server/app.ts'],
    'server/src/app.ts': ['#contracts/free.ts'],
    'server/src/http/server.ts': ['#server/stages/gym/index.ts'],
    'server/src/stages/capture/index.ts': ['#server/stages/gym/index.ts'],
    'server/src/stages/gym/index.ts': ['#server/stages/traces/inner.ts'],
    'server/src/stages/traces/inner.ts': [],
    'renderer/src/main.ts': ['#contracts/free.ts', '#server/app.ts'],
    'renderer/src/ui/button.tsx': ['#contracts/free.ts'],
    'renderer/src/features/home/page.tsx': ['#renderer/features/traces/list.tsx'],
    'renderer/src/features/traces/list.tsx': ['./rows.tsx'],
    'renderer/src/features/traces/rows.tsx': ['./list.tsx'],
    'electron/src/main.ts': ['#renderer/main.ts'],
  })
  expect(complaints).toEqual(
    [
      'adapters-know-no-stage: server/src/adapters/shell.ts → server/src/app.ts',
      'capture-before-later-stages: server/src/stages/capture/index.ts → server/src/stages/gym/index.ts',
      'contracts-know-zod-only: contracts/src/shape.ts → server/src/db/rows.ts',
      'db-knows-contracts: server/src/db/rows.ts → server/src/jobs/queue.ts',
      'electron-is-thin: electron/src/main.ts → renderer/src/main.ts',
      'features-apart: renderer/src/features/home/page.tsx → renderer/src/features/traces/list.tsx',
      'http-and-cli-get-routes-handed: server/src/http/server.ts → server/src/stages/gym/index.ts',
      'no-cycles: renderer/src/features/traces/list.tsx → renderer/src/features/traces/rows.tsx',
      'plumbing-knows-db: server/src/jobs/queue.ts → server/src/adapters/shell.ts',
      'renderer-stays-in: renderer/src/main.ts → server/src/app.ts',
      'traces-behind-its-index: server/src/stages/gym/index.ts → server/src/stages/traces/inner.ts',
      'ui-knows-no-domain: renderer/src/ui/button.tsx → contracts/src/free.ts',
      'workers-know-no-stage: server/src/workers/pool.ts → contracts/src/free.ts',
    ].map((complaint) => `rooms: ${complaint}`),
  )
  expect(code).toBe(1)
})

it('lets pass what the design allows', () => {
  const { code, complaints } = checked({
    'contracts/src/shape.ts': [],
    'server/src/app.ts': ['#contracts/shape.ts', '#server/stages/gym/index.ts', '#server/stages/capture/index.ts'],
    'server/src/stages/gym/index.ts': ['./inner.ts', '#server/stages/capture/index.ts', '#contracts/shape.ts'],
    'server/src/stages/gym/inner.ts': [],
    'server/src/stages/capture/index.ts': ['#contracts/shape.ts'],
  })
  expect(complaints).toEqual([])
  expect(code).toBe(0)
})

it('does not pass by seeing nothing', () => {
  const unseen = (count: string) => `rooms: only ${count} were seen: the check would pass by seeing nothing.`
  expect(checked({})).toEqual({ code: 1, complaints: [unseen('0 of 0 modules and 0 imports')] })
  expect(checked({ 'server/src/app.ts': [] })).toEqual({ code: 1, complaints: [unseen('1 of 1 modules and 0 imports')] })
  expect(checked({ 'server/src/app.ts': ['#server/nowhere.ts'] })).toEqual({
    code: 1,
    complaints: ['rooms: cannot follow server/src/app.ts → #server/nowhere.ts: the check would be blind there'],
  })
})
