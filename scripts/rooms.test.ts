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

/** Runs the check on a tree of modules. Each entry maps a module to its imports. */
function checked(
  modules: Record<string, string[]>,
  importLine = (name: string) => `import '${name}'`,
): { code: number | null; complaints: string[] } {
  const tree = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-rooms-')))
  trees.push(tree)
  const { type, imports } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as Record<string, unknown>
  fs.writeFileSync(path.join(tree, 'package.json'), JSON.stringify({ type, imports }))
  fs.writeFileSync(path.join(tree, 'tsconfig.json'), '{}')
  for (const [file, imported] of Object.entries(modules)) {
    fs.mkdirSync(path.join(tree, path.dirname(file)), { recursive: true })
    fs.writeFileSync(path.join(tree, file), [...imported.map(importLine), 'export {}'].join('\n'))
  }
  const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'scripts', 'rooms.mjs'), tree], { encoding: 'utf8' })
  return { code: status, complaints: stderr.split('\n').filter(Boolean).toSorted() }
}

/** Each line is an import that the check must refuse: `importer > imported`. */
const FORBIDDEN = `
contracts/src/a.ts > node:fs
contracts/src/b.ts > fs
contracts/src/c.ts > #server/db/open.ts
contracts/src/d.ts > #renderer/ui/button.tsx
contracts/src/e.ts > react
server/src/workers/a.ts > #server/cli/main.ts
server/src/workers/b.ts > #server/stages/gym/index.ts
server/src/workers/c.ts > better-sqlite3
server/src/db/a.ts > #server/jobs/jobs.ts
server/src/db/b.ts > #server/events/events.ts
server/src/events/a.ts > #server/jobs/jobs.ts
server/src/events/b.ts > #server/adapters/shell.ts
server/src/events/c.ts > node:fs
server/src/jobs/a.ts > #server/adapters/shell.ts
server/src/jobs/b.ts > #server/stages/traces/index.ts
server/src/jobs/c.ts > node:worker_threads
server/src/data-dir/a.ts > #server/stages/capture/index.ts
server/src/data-dir/b.ts > #server/http/server.ts
server/src/adapters/a.ts > #server/app.ts
server/src/adapters/b.ts > #server/stages/gym/index.ts
server/src/adapters/c.ts > #server/jobs/jobs.ts
server/src/adapters/d.ts > #server/http/server.ts
server/src/adapters/e.ts > #server/system/settings.ts
server/src/adapters/f.ts > node:child_process
server/src/adapters/g.ts > child_process
server/src/process/a.ts > #server/adapters/shell.ts
server/src/process/b.ts > node:worker_threads
server/src/http/a.ts > #server/stages/gym/index.ts
server/src/http/b.ts > #server/system/settings.ts
server/src/http/c.ts > #server/adapters/shell.ts
server/src/http/d.ts > node:child_process
server/src/http/e.ts > better-sqlite3
server/src/system/a.ts > #server/stages/capture/index.ts
server/src/system/b.ts > #server/http/server.ts
server/src/system/c.ts > http
server/src/cli/a.ts > #server/stages/gym/index.ts
server/src/cli/b.ts > child_process
server/src/stages/capture/a.ts > #server/stages/gym/index.ts
server/src/stages/capture/b.ts > #server/http/server.ts
server/src/stages/capture/c.ts > #server/system/settings.ts
server/src/stages/capture/d.ts > #server/app.ts
server/src/stages/capture/e.ts > #server/data-dir/open-data-dir.ts
server/src/stages/capture/f.ts > worker_threads
server/src/stages/capture/g.ts > node:net
server/src/stages/gym/a.ts > #server/stages/traces/inner.ts
server/src/stages/gym/b.ts > node:child_process
server/src/stages/gym/c.ts > node:https
server/src/stages/gym/d.ts > better-sqlite3
server/src/stages/gym/e.ts > #server/cli/run.ts
server/src/stages/gym/f.ts > #server/process/start.ts
server/src/stages/traces/a.ts > #renderer/ui/button.tsx
renderer/src/ui/a.tsx > #contracts/free.ts
renderer/src/ui/b.tsx > #renderer/api/client.ts
renderer/src/api/a.ts > #renderer/features/traces/list.tsx
renderer/src/api/b.ts > #server/app.ts
renderer/src/api/c.ts > #renderer/stores/theme.ts
renderer/src/stores/a.ts > #renderer/api/client.ts
renderer/src/features/home/a.tsx > #renderer/features/traces/list.tsx
renderer/src/features/home/b.tsx > #server/db/open.ts
renderer/src/features/home/c.tsx > node:fs
renderer/src/features/home/d.tsx > electron
renderer/src/app/a.tsx > #server/app.ts
renderer/src/app/b.tsx > #renderer/features/traces/list.tsx
electron/src/a.ts > #renderer/ui/button.tsx
electron/src/b.ts > #server/app.ts
electron/src/c.ts > better-sqlite3
`
  .trim()
  .split('\n')
  .map((line) => line.split(' > ') as [string, string])

const fileOf = (name: string) => name.replace(/^#(\w+)\//, (_, room: string) => `${room}/src/`)

it('refuses every import that a part may not make, static or dynamic', () => {
  const modules: Record<string, string[]> = { 'contracts/src/free.ts': [] }
  for (const [from, to] of FORBIDDEN) {
    if (to.startsWith('#')) modules[fileOf(to)] ??= []
    modules[from] = [to]
  }
  for (const form of [checked(modules), checked(modules, (name) => `await import('${name}')`)]) {
    const missed = FORBIDDEN.filter(
      ([from, to]) => !form.complaints.some((line) => line.includes(`: ${from} → `) && line.endsWith(fileOf(to).replace(/^node:/, ''))),
    )
    expect(missed).toEqual([])
    expect(form.code).toBe(1)
  }
})

it('refuses import cycles (of types too), folders that belong to no part, and imports that it cannot follow', () => {
  const { code, complaints } = checked(
    {
      'contracts/src/free.ts': [],
      'server/src/app.ts': ['#contracts/free.ts', 'node:os', 'node:path'],
      'server/src/db/rows.ts': ['./tables.ts'],
      'server/src/db/tables.ts': ['./rows.ts'],
      'server/src/stages/crypto/index.ts': ['#contracts/free.ts'],
      'server/src/misc/index.ts': ['#contracts/free.ts'],
      'server/src/stages/gym/late.ts': ["' + 'node:child_process"],
    },
    (name) => (name.includes('+') ? `await import('${name}')` : `import type {} from '${name}'`),
  )
  expect(complaints).toEqual([
    'rooms: no-cycles: server/src/db/rows.ts → server/src/db/tables.ts',
    'rooms: server/src/misc/index.ts belongs to no part in scripts/rooms.mjs',
    'rooms: server/src/stages/crypto/index.ts belongs to no part in scripts/rooms.mjs',
    'rooms: server/src/stages/gym/late.ts uses "import(": the check cannot follow it',
  ])
  expect(code).toBe(1)
})

it('refuses file changes in parts that may only read', () => {
  const importAndWrite = (name: string) => `import fs from '${name}'\nfs.rmSync('x')`
  const { complaints } = checked({ 'server/src/http/pages.ts': ['node:fs'], 'server/src/data-dir/folder.ts': ['node:fs'] }, importAndWrite)
  expect(complaints).toEqual([expect.stringMatching(/^rooms: server\/src\/http\/pages\.ts changes files/)])
})

it('refuses the file system to modules that work in folders of others', () => {
  const importFs = (name: string) => `import fs from '${name}'`
  const { complaints } = checked({ 'server/src/stages/agents/reader.ts': ['node:fs'], 'server/src/adapters/git/index.ts': ['fs/promises'] }, importFs) // prettier-ignore
  expect(complaints.map((line) => line.slice(0, line.indexOf(' uses')))).toEqual([
    'rooms: server/src/adapters/git/index.ts',
    'rooms: server/src/stages/agents/reader.ts',
  ])
})

it('docs/architecture.md describes every folder', () => {
  const text = fs.readFileSync(path.join(root, 'docs', 'architecture.md'), 'utf8')
  const folders = ['server/src', 'server/src/stages', 'renderer/src'].flatMap((place) =>
    fs
      .readdirSync(path.join(root, place), { withFileTypes: true })
      .filter((one) => one.isDirectory() && one.name !== 'testing')
      .map((one) => ({ name: one.name, named: text.includes(`${one.name}\``) })),
  )
  expect(folders.filter(({ named }) => !named)).toEqual([])
})

it('allows the imports that the design allows', () => {
  const { code, complaints } = checked({
    'contracts/src/shape.ts': [],
    'server/src/app.ts': ['#contracts/shape.ts', '#server/stages/gym/index.ts', '#server/stages/capture/index.ts'],
    'server/src/stages/gym/index.ts': ['./inner.ts', '#server/stages/capture/index.ts', '#contracts/shape.ts'],
    'server/src/stages/gym/inner.ts': [],
    'server/src/stages/capture/index.ts': ['#contracts/shape.ts', '#server/process/marks.ts'],
    'server/src/process/marks.ts': ['node:child_process'],
  })
  expect(complaints).toEqual([])
  expect(code).toBe(0)
})

it('fails when it finds no modules or no imports', () => {
  const unseen = (count: string) => `rooms: only ${count} were seen: the check would pass by seeing nothing.`
  expect(checked({})).toEqual({ code: 1, complaints: [unseen('0 of 0 modules and 0 imports')] })
  expect(checked({ 'server/src/app.ts': [] })).toEqual({ code: 1, complaints: [unseen('1 of 1 modules and 0 imports')] })
  expect(checked({ 'server/src/app.ts': ['#server/nowhere.ts'] })).toEqual({
    code: 1,
    complaints: ['rooms: cannot follow server/src/app.ts → #server/nowhere.ts: the check would be blind there'],
  })
})
