import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FoundValue } from '#contracts/entities/privacy.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'

const SESSION = '6b1f7d52-0f8e-4f5e-9c52-6f2b8a1d9e77'
const PASSWORD = 'q7Xw!pLz92vT'

let workspace: Workspace
beforeEach(() => {
  workspace = makeWorkspace()
  const folder = path.join(workspace.claudeDir, 'projects', '-home-dev-app')
  fs.mkdirSync(folder, { recursive: true })
  const content = `mail ada@corp.io\nDB_PASSWORD=${PASSWORD}\nagain: DB_PASSWORD=${PASSWORD}`
  const record = {
    type: 'user',
    sessionId: SESSION,
    uuid: SESSION,
    timestamp: '2026-03-02T09:00:00.000Z',
    cwd: '/home/dev/app',
    message: { role: 'user', content },
  }
  fs.writeFileSync(path.join(folder, `${SESSION}.jsonl`), `${JSON.stringify(record)}\n`)
})
afterEach(() => workspace.remove())

it('findings are listed by value with the masked line around one, and decided in all places at once', async () => {
  expect((await bashgym(workspace, ['import', '--json'])).code).toBe(0)
  const list = async () => (await bashgym(workspace, ['findings', '--json'])).json() as { items: (FoundValue & { line: string })[] }
  const [first, second] = (await list()).items
  expect(first).toMatchObject({ places: 2, sessions: 1, actions: { keep: 0, redact: 2, replace: 0 }, line: 'again: DB_PASSWORD=********' })
  expect(second).toMatchObject({ places: 1, line: 'mail ***@****.**' })

  const listed = await bashgym(workspace, ['findings', '--type', 'password'])
  expect(listed.stdout).toContain('again: DB_PASSWORD=********')
  expect(listed.stdout).toContain('1 of 1 values, in 2 places')
  expect(listed.stdout).not.toContain(PASSWORD)

  const decided = await bashgym(workspace, ['findings', 'keep', first!.example.value])
  expect(decided.stdout).toBe('Kept in 2 places.\n')
  expect((await list()).items[0]!.actions).toEqual({ keep: 2, redact: 0, replace: 0 })

  const unknown = await bashgym(workspace, ['findings', 'keep', 'nothing'])
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('No finding has the value "nothing". `findings` lists the values.')
  expect((await bashgym(workspace, ['findings', '--type', 'pasword'])).code).toBe(2)
})
