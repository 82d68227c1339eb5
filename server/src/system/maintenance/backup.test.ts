import fs from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import tar from 'tar-stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadConfig, pathsOf } from '#server/config.ts'
import { migrate } from '#server/db/migrate.ts'
import { schema } from '#server/schema.ts'
import { openDatabase } from '#server/db/open.ts'
import { newFolder } from '#server/testing/folders.ts'
import { writeBackup } from './backup.ts'
import { finishRestore, restoreBackup } from './restore.ts'

let dir: string
beforeEach(() => (dir = newFolder()))

function newDataDir(name: string) {
  const dataDir = path.join(dir, name)
  const paths = pathsOf(dataDir)
  fs.mkdirSync(path.join(paths.archive, 'claude-code', 'abc'), { recursive: true })
  fs.writeFileSync(path.join(paths.archive, 'claude-code', 'abc', 'main.1.zst'), 'frames')
  fs.writeFileSync(path.join(paths.archive, 'claude-code', 'abc', 'manifest.jsonl'), '{"line":1}\n')
  fs.writeFileSync(paths.token, 'a secret')
  const db = openDatabase(paths.database)
  migrate(db, { schema, backupDir: paths.backups })
  db.prepare("INSERT INTO meta (key, value) VALUES ('epoch', 'the old one'), ('kept', 'yes')").run()
  return { dataDir, paths, db, core: { db, paths, config: { ...loadConfig({ dataDir }, {}), dataDir }, now: () => 1_700_000_000_000 } }
}

type AddEntry = (header: Partial<tar.Header> & { name: string }, text?: string) => void

/** A copy of a backup of ours, with entries added before its end and the right number of files. */
async function tarLike(ours: string, fill: (add: AddEntry) => void): Promise<Buffer> {
  const pack = tar.pack()
  const extract = tar.extract()
  let files = 0
  fs.createReadStream(ours).pipe(extract)
  for await (const entry of extract) {
    const bytes = Buffer.concat(await Array.fromAsync(entry as unknown as AsyncIterable<Buffer>))
    if (entry.header.name === 'COMPLETE') break
    if (entry.header.name !== 'backup.json') files += 1
    pack.entry({ name: entry.header.name }, bytes)
  }
  fill((header, text) => {
    files += 1
    if (text === undefined) pack.entry(header).end(null)
    else pack.entry(header, text)
  })
  pack.entry({ name: 'COMPLETE' }, String(files))
  pack.finalize()
  const bytes = Buffer.concat(await Array.fromAsync(pack as unknown as AsyncIterable<Buffer>))
  for (const [name, change] of Object.entries(RAW)) {
    const at = bytes.indexOf(name)
    if (at >= 0) change(bytes.subarray(at, at + 512))
  }
  return bytes
}

/** Headers that the library does not write. */
const RAW: Record<string, (header: Buffer) => void> = {
  'archive/negative': (header) => withChecksum(header, () => header.fill(0xff, 124, 136)),
  'archive/beyond': (header) => withChecksum(header, () => header.write('77777777777 ', 124)),
  'archive/unknown': (header) => withChecksum(header, () => header.write('S', 156)),
}

function withChecksum(header: Buffer, change: () => void): void {
  change()
  header.fill(' ', 148, 156)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
}

describe('backup and restore', () => {
  it('restores database and archive byte for byte, without the token and with a new epoch', async () => {
    const { core, db } = newDataDir('first')
    const file = path.join(dir, 'backup.tar')
    const written = await writeBackup(core, file, '0.1.0')
    db.close()
    expect(written.files).toBe(3)
    expect(fs.statSync(file).mode & 0o777).toBe(0o600)
    expect(fs.existsSync(`${file}.part`)).toBe(false)

    const dataDir = path.join(dir, 'second')
    fs.mkdirSync(dataDir)
    await restoreBackup(dataDir, file, { replace: false, schema })
    expect(fs.readFileSync(path.join(dataDir, 'archive', 'claude-code', 'abc', 'main.1.zst'), 'utf8')).toBe('frames')
    expect(fs.existsSync(path.join(dataDir, 'token'))).toBe(false)
    expect(fs.existsSync(path.join(dataDir, 'restoring'))).toBe(false)
    const restored = openDatabase(path.join(dataDir, 'bashgym.db'))
    expect(restored.prepare('SELECT key, value FROM meta ORDER BY key').all()).toEqual([{ key: 'kept', value: 'yes' }])
    restored.close()
  })

  it('is written only as .tar, and never through a link at its path', async () => {
    const { core, db } = newDataDir('first')
    const target = path.join(dir, 'target')
    await expect(writeBackup(core, path.join(dir, '.zshenv'), '0.1.0')).rejects.toThrow('.tar')
    fs.writeFileSync(target, 'mine')
    fs.symlinkSync(target, path.join(dir, 'backup.tar.part'))
    await writeBackup(core, path.join(dir, 'backup.tar'), '0.1.0')
    db.close()
    expect(fs.readFileSync(target, 'utf8')).toBe('mine')
  })

  it('contains the keys for recognising and replacing values, and no other secret', async () => {
    const { core, db, dataDir: first, paths } = newDataDir('first')
    fs.writeFileSync(paths.privacyKey, 'a'.repeat(64), { mode: 0o600 })
    fs.writeFileSync(paths.datasetKey, 'b'.repeat(64), { mode: 0o600 })
    fs.writeFileSync(paths.providerKeys, '{"anthropic":"sk-ant-x"}')
    for (const folder of ['logs', 'env', 'spool', 'exports']) {
      fs.mkdirSync(path.join(first, folder), { recursive: true })
      fs.writeFileSync(path.join(first, folder, 'inside'), 'stays at home')
    }
    const file = path.join(dir, 'backup.tar')
    await writeBackup(core, file, '0.1.0')
    db.close()
    const bytes = fs.readFileSync(file)
    for (const text of ['a secret', 'sk-ant-x', 'stays at home']) expect(bytes.includes(text)).toBe(false)

    const other = newDataDir('other')
    other.db.close()
    fs.writeFileSync(other.paths.privacyKey, 'c'.repeat(64), { mode: 0o600 })
    await restoreBackup(other.dataDir, file, { replace: true, schema })
    expect(fs.readFileSync(other.paths.privacyKey, 'utf8')).toBe('a'.repeat(64))
    expect(fs.readFileSync(other.paths.datasetKey, 'utf8')).toBe('b'.repeat(64))
    expect(fs.statSync(other.paths.privacyKey).mode & 0o777).toBe(0o600)
    expect(fs.existsSync(other.paths.providerKeys)).toBe(false)
  })

  it('refuses a data directory that is not empty, and replaces it on request', async () => {
    const { core, db } = newDataDir('first')
    const file = path.join(dir, 'backup.tar')
    await writeBackup(core, file, '0.1.0')
    db.close()
    const other = newDataDir('other')
    other.db.close()
    fs.writeFileSync(path.join(other.paths.archive, 'claude-code', 'abc', 'newer.1.zst'), 'x')
    await expect(restoreBackup(other.dataDir, file, { replace: false, schema })).rejects.toMatchObject({
      code: 'data_dir_not_empty',
    })
    expect(fs.existsSync(path.join(other.paths.archive, 'claude-code', 'abc', 'newer.1.zst'))).toBe(true)
    await restoreBackup(other.dataDir, file, { replace: true, schema })
    expect(fs.existsSync(path.join(other.paths.archive, 'claude-code', 'abc', 'newer.1.zst'))).toBe(false)
    expect(fs.readFileSync(other.paths.token, 'utf8')).toBe('a secret')
  })

  it('refuses an incomplete backup and leaves the data directory unchanged', async () => {
    const { core, db } = newDataDir('first')
    const file = path.join(dir, 'backup.tar')
    await writeBackup(core, file, '0.1.0')
    db.close()
    const dataDir = path.join(dir, 'second')
    fs.mkdirSync(dataDir)
    const whole = fs.readFileSync(file)
    for (const length of [0, 600, Math.floor(whole.length / 2), whole.length - 2048]) {
      fs.writeFileSync(file, whole.subarray(0, length))
      await expect(restoreBackup(dataDir, file, { replace: false, schema })).rejects.toMatchObject({
        code: 'backup_invalid',
      })
      expect(fs.readdirSync(dataDir)).toEqual([])
    }
  })

  it('refuses a tar that tries to leave the data directory', async () => {
    const pack = tar.pack()
    pack.entry({ name: 'backup.json' }, JSON.stringify({ format: 1, version: '0', schema: 1, createdAt: 'now' }))
    pack.entry({ name: 'archive/../../escaped' }, 'x')
    pack.finalize()
    const file = path.join(dir, 'evil.tar')
    fs.writeFileSync(file, Buffer.concat(await Array.fromAsync(pack as unknown as AsyncIterable<Buffer>)))
    const dataDir = path.join(dir, 'second')
    fs.mkdirSync(dataDir)
    await expect(restoreBackup(dataDir, file, { replace: false, schema })).rejects.toMatchObject({
      code: 'backup_invalid',
    })
    expect(fs.readdirSync(dir).toSorted()).toEqual(['evil.tar', 'second'])
  })

  it.each<[string, (add: AddEntry) => void]>([
    ['a link', (add) => add({ name: 'archive/l', type: 'symlink', linkname: '/tmp' })],
    ['a hard link', (add) => add({ name: 'archive/l', type: 'link', linkname: 'bashgym.db' })],
    ['a pipe', (add) => add({ name: 'archive/p', type: 'fifo' })],
    ['a device', (add) => add({ name: 'archive/d', type: 'character-device', devmajor: 1, devminor: 3 })],
    ['a folder', (add) => add({ name: 'archive/d', type: 'directory' })],
    ['an absolute name', (add) => add({ name: '/archive/x' }, 'x')],
    ['a name with ..', (add) => add({ name: 'archive/a/../../../x' }, 'x')],
    ['a name with \\', (add) => add({ name: 'archive/a\\..\\x' }, 'x')],
    ['a name of another folder', (add) => add({ name: 'Archive/x' }, 'x')],
    ['a log of the database', (add) => add({ name: 'bashgym.db-wal' }, 'x')],
    ['the token', (add) => add({ name: 'token' }, 'x')],
    ['a name twice', (add) => [1, 2].forEach(() => add({ name: 'archive/x' }, 'x'))],
    ['a second database', (add) => add({ name: 'bashgym.db' }, 'x')],
    ['a second head', (add) => add({ name: 'backup.json' }, '{}')],
    ['a file below a file', (add) => ['archive/x', 'archive/x/y'].forEach((name) => add({ name }, 'x'))],
    ['a length in an extended header', (add) => add({ name: 'archive/x', pax: { size: '-512' } }, 'x')],
    ['a name that replaces another', (add) => add({ name: 'archive/x', pax: { path: '../../x' } }, 'x')],
    ['a long extended header', (add) => add({ name: 'archive/x', pax: { comment: 'x'.repeat(5_000_000) } }, 'x')],
    ['a negative length', (add) => add({ name: 'archive/negative' }, 'x')],
    ['a length beyond its end', (add) => add({ name: 'archive/beyond' }, 'x')],
    ['an unknown kind of entry', (add) => add({ name: 'archive/unknown' }, 'x')],
  ])('refuses a tar with %s, and writes nothing', async (_what, fill) => {
    const { core, db } = newDataDir('first')
    await writeBackup(core, path.join(dir, 'ours.tar'), '0.1.0')
    db.close()
    const file = path.join(dir, 'evil.tar')
    fs.writeFileSync(file, await tarLike(path.join(dir, 'ours.tar'), fill))
    const dataDir = path.join(dir, 'second')
    fs.mkdirSync(dataDir)
    const before = fs.readdirSync(dir)
    await expect(restoreBackup(dataDir, file, { replace: false, schema })).rejects.toMatchObject({ code: 'backup_invalid' })
    expect([fs.readdirSync(dataDir), fs.readdirSync(dir)]).toEqual([[], before])
  })

  it('restores long names and names in two cases, and refuses a pipe instead of a file', async () => {
    const { core, db } = newDataDir('first')
    const long = path.join(core.paths.archive, 'claude-code', 'a'.repeat(120))
    fs.mkdirSync(long)
    fs.writeFileSync(path.join(long, 'b'.repeat(120)), 'long name')
    await writeBackup(core, path.join(dir, 'ours.tar'), '0.1.0')
    db.close()
    const file = path.join(dir, 'copy.tar')
    // sessions and data sets may have names that differ only in case
    const cases = ['archive/x', 'archive/X']
    fs.writeFileSync(file, await tarLike(path.join(dir, 'ours.tar'), (add) => cases.forEach((name) => add({ name }, name))))
    const dataDir = path.join(dir, 'second')
    fs.mkdirSync(dataDir)
    expect((await restoreBackup(dataDir, file, { replace: false, schema })).files).toBe(6)
    expect(cases.map((name) => fs.readFileSync(path.join(dataDir, name), 'utf8'))).toEqual(cases)
    const pipe = path.join(dir, 'pipe.tar')
    execFileSync('mkfifo', [pipe])
    await expect(restoreBackup(dataDir, pipe, { replace: true, schema })).rejects.toThrow('not a regular file')
  })

  it('finishes a restore at the next start: an incomplete one is removed, a complete one moved into place', () => {
    const dataDir = path.join(dir, 'home')
    fs.mkdirSync(path.join(dataDir, 'restoring', 'archive'), { recursive: true })
    fs.mkdirSync(path.join(dataDir, 'archive'))
    fs.writeFileSync(path.join(dataDir, 'archive', 'old'), '')
    fs.writeFileSync(path.join(dataDir, 'restoring', 'archive', 'new'), '')
    expect(finishRestore(dataDir)[0]).toMatch(/interrupted/)
    expect(fs.readdirSync(path.join(dataDir, 'archive'))).toEqual(['old'])

    fs.mkdirSync(path.join(dataDir, 'restoring', 'archive'), { recursive: true })
    fs.writeFileSync(path.join(dataDir, 'restoring', 'archive', 'new'), '')
    fs.writeFileSync(path.join(dataDir, 'restoring', 'COMPLETE'), '1')
    expect(finishRestore(dataDir)[0]).toMatch(/interrupted restore was completed/)
    expect(fs.readdirSync(path.join(dataDir, 'archive'))).toEqual(['new'])
    expect(finishRestore(dataDir)).toEqual([])
  })

  it('never overwrites a file and never writes into what it backs up', async () => {
    const { core, db, paths } = newDataDir('first')
    const file = path.join(dir, 'there.tar')
    fs.writeFileSync(file, 'mine')
    await expect(writeBackup(core, file, '0.1.0')).rejects.toMatchObject({ code: 'path_refused' })
    await expect(writeBackup(core, path.join(paths.archive, 'b.tar'), '0.1.0')).rejects.toMatchObject({ code: 'path_refused' })
    await expect(writeBackup(core, 'relative.tar', '0.1.0')).rejects.toMatchObject({ code: 'path_refused' })
    expect(fs.readFileSync(file, 'utf8')).toBe('mine')
    db.close()
  })
})
