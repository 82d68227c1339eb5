import assert from 'node:assert/strict'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ImportResult } from '#contracts/entities/capture.ts'
import type { AppError } from '#contracts/errors.ts'
import { newFolder } from '#server/testing/folders.ts'
import { createApp, inProcessClient } from './app.ts'
import { loadConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { schema } from './schema.ts'
import { openDatabase } from './db/open.ts'
import { canMount } from './testing/mounts.ts'
import { startTestServer } from './testing/server.ts'

let root: string
beforeEach(() => (root = newFolder()))

describe.runIf(canMount)('a full disk under the database', () => {
  it('is reported, loses nothing acknowledged, and the same import completes once there is space', async () => {
    const dataDir = path.join(root, 'home')
    const archive = path.join(root, 'archive')
    for (const place of [dataDir, archive]) fs.mkdirSync(place)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2200k', 'tmpfs', dataDir])
    fs.mkdirSync(path.join(dataDir, 'archive'))
    execFileSync('mount', ['--bind', archive, path.join(dataDir, 'archive')])
    const projects = path.join(root, '.claude', 'projects', '-home-dev-x')
    fs.mkdirSync(projects, { recursive: true })
    for (let number = 0; number < 60; number += 1) writeSession(projects, number)
    const app = await createApp(loadConfig({ dataDir }, { HOME: root }), { kind: 'command' })
    try {
      const client = inProcessClient(app)
      const importAll = async () => {
        const job = await client.startImport({ body: {} })
        return app.core.jobs.wait(job.id)
      }
      const first = await importAll()
      const errorText =
        first.state === 'failed'
          ? (first.error?.message ?? '')
          : (first.result as ImportResult).errors.map(({ message }) => message).join('\n')
      expect(errorText).toMatch(/full/i)
      const listed = await client.listTraces({})
      expect(listed.total).toBeLessThan(60)

      execFileSync('mount', ['-o', 'remount,size=60m', dataDir])
      const second = await importAll()
      expect(second.state).toBe('completed')
      expect((await client.listTraces({})).total).toBe(60)
      expect(await client.verifyArchive({ body: {} })).toMatchObject({ ok: true, problems: [] })
    } finally {
      await app.close()
      execFileSync('umount', ['-l', path.join(dataDir, 'archive')])
      execFileSync('umount', ['-l', dataDir])
    }
  })
})

describe.runIf(canMount)('a disk that is full to the last byte', () => {
  let dataDir: string
  let projects: string
  const filler = () => path.join(dataDir, 'filler')
  const fill = () => {
    const file = fs.openSync(filler(), 'a')
    for (const size of [1 << 20, 4096, 1]) {
      try {
        for (;;) fs.writeSync(file, Buffer.alloc(size, 'x'))
      } catch (error) {
        expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
      }
    }
    fs.closeSync(file)
  }
  const writeSessions = (from: number, to: number) => {
    for (let number = from; number < to; number += 1) writeSession(projects, number)
  }
  const config = () => ({ ...loadConfig({ dataDir, port: 0 }, { HOME: root, PATH: process.env['PATH'] }) })

  beforeEach(() => {
    dataDir = path.join(root, 'home')
    fs.mkdirSync(dataDir)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', dataDir])
    projects = path.join(root, '.claude', 'projects', '-home-dev-x')
    fs.mkdirSync(projects, { recursive: true })
  })
  afterEach(() => execFileSync('umount', ['-l', dataDir]))

  it('under a running server is a state that it says and reads on in, and it continues by itself when there is space', async () => {
    writeSessions(0, 10)
    const server = await startTestServer({ config: config() })
    const { client } = server
    try {
      const searched = async () => (await client.listTraces({ query: { q: 'Prompt' } })).total
      await expect.poll(searched).toBe(10)
      fill()
      writeSessions(10, 40)
      const refused = await client.startImport({ body: {} }).then(
        () => null,
        (error: unknown) => error,
      )
      if (refused !== null) assert.equal((refused as AppError).code, 'disk_full')
      await expect.poll(async () => (await client.getCapture()).problems.map(({ kind }) => kind)).toContain('disk-full')
      expect(await client.getHealth()).toMatchObject({ status: 'degraded', checks: { disk: 'full' } })
      expect(await searched()).toBeGreaterThanOrEqual(10)
      expect(await client.getHome()).toMatchObject({ since: expect.any(String) as string })

      fs.rmSync(filler())
      await expect.poll(searched, { timeout: 120_000 }).toBe(40)
      await expect.poll(async () => (await client.getCapture()).problems.map(({ kind }) => kind)).not.toContain('disk-full')
      expect(await client.getHealth()).toMatchObject({ status: 'ok' })
    } finally {
      await server.close()
    }
  })

  it('lets commands read and the server start, with work left for the search index', async () => {
    writeSessions(0, 10)
    const run = (...args: string[]) =>
      promisify(execFile)(
        process.execPath,
        [path.join(import.meta.dirname, '..', '..', 'dist', 'server', 'bashgym.js'), ...args, '--home', dataDir],
        {
          env: { HOME: root, PATH: process.env['PATH'] },
        },
      )
    await run('import')
    await run('traces') // by now the reserve is there
    const db = openDatabase(path.join(dataDir, 'bashgym.db'))
    db.exec('UPDATE traces SET index_pending = 1') // as if it had ended before the index was written
    db.close()
    fs.rmSync(path.join(dataDir, 'search.db'), { force: true })
    fill()
    const { stdout, stderr } = await run('traces', '--json')
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toHaveLength(10)
    expect(stderr).not.toMatch(/ at /)
    fill()
    const server = await startTestServer({ config: config() })
    try {
      expect((await server.client.listTraces({})).total).toBe(10)
      fs.rmSync(filler())
      await expect.poll(async () => (await server.client.listTraces({ query: { q: 'Prompt' } })).total, { timeout: 120_000 }).toBe(10)
    } finally {
      await server.close()
    }
  })
})

function writeSession(folder: string, number: number): void {
  const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const lines = Array.from({ length: 40 }, (_, index) => ({
    type: 'user',
    uuid: `${sessionId.slice(0, 24)}${String(number * 100 + index).padStart(12, '0')}`,
    parentUuid: null,
    sessionId,
    cwd: '/home/dev/x',
    timestamp: new Date(1_700_000_000_000 + index * 1000).toISOString(),
    message: { role: 'user', content: `Prompt ${index} of ${number} ${crypto.randomUUID()}` },
  }))
  fs.writeFileSync(path.join(folder, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

describe('kill -9 in the middle of a migration', () => {
  it('leaves the version before it whole, and the next start goes through', async () => {
    const file = path.join(root, 'bashgym.db')
    const backupDir = path.join(root, 'backups')
    const before = openDatabase(file)
    migrate(before, { schema: { ...schema, migrations: schema.migrations.slice(0, -1) }, backupDir })
    before.prepare("INSERT INTO settings VALUES ('scoring.policy', '\"verified_first\"', 1)").run()
    before.close()

    const script = `
      import { migrate } from ${JSON.stringify(path.join(import.meta.dirname, 'db', 'migrate.ts'))}
      import { schema } from ${JSON.stringify(path.join(import.meta.dirname, 'schema.ts'))}
      import { openDatabase } from ${JSON.stringify(path.join(import.meta.dirname, 'db', 'open.ts'))}
      const db = openDatabase(${JSON.stringify(file)})
      db.function('tell', () => { process.stdout.write('in the middle\\n'); return 1 })
      const last = schema.migrations.at(-1)
      const endless = last.sql + "; SELECT tell(); CREATE TABLE half AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1e12) SELECT i FROM n;"
      const migrations = [...schema.migrations.slice(0, -1), { ...last, name: 'killed', sql: endless }]
      migrate(db, { schema: { ...schema, migrations }, backupDir: ${JSON.stringify(backupDir)} })
    `
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')

    const after = openDatabase(file)
    expect(after.pragma('user_version', { simple: true })).toBe(schema.migrations.length - 1)
    expect(after.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'half'").get()).toEqual({ n: 0 })
    expect(migrate(after, { schema, backupDir })).toEqual([schema.migrations.length])
    expect(after.prepare('SELECT key FROM settings').all()).toEqual([{ key: 'scoring.policy' }])
    after.close()
  })
})

describe('a clock that goes backwards', () => {
  it('changes neither the order of decisions nor that of events', async () => {
    const projects = path.join(root, '.claude', 'projects', '-home-dev-x')
    fs.mkdirSync(projects, { recursive: true })
    writeSession(projects, 1)
    const real = Date.now
    let offset = 0
    Date.now = () => real() + offset
    const app = await createApp(loadConfig({ dataDir: path.join(root, 'home') }, { HOME: root }), { kind: 'command' })
    try {
      const client = inProcessClient(app)
      await app.core.jobs.wait((await client.startImport({ body: {} })).id)
      const id = (await client.listTraces({})).items[0]!.id
      for (const tier of ['bronze', 'gold', 'failed'] as const) {
        await client.promoteTrace({ params: { id }, body: { tier } })
        offset -= 3600_000
      }
      const { items } = await client.listDecisions({ params: { id } })
      expect(items.map(({ tier }) => tier)).toEqual(['failed', 'gold', 'bronze'])
      expect((await client.undoTier({ params: { id }, body: {} })).tier).toBe('gold')
      const seqs = (app.core.events.after(0, 1000) ?? []).map(({ seq }) => seq)
      expect(seqs).toEqual(seqs.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
    } finally {
      Date.now = real
      await app.close()
    }
  })
})
