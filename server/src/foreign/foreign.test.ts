import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { soaking } from '#server/testing/soak.ts'
import { ForeignFileError, ForeignFolder, inForeign, openPlain } from './index.ts'

const SECRET = 'a secret outside'
const LIMIT = 1000

/** A tree and a folder beside it that nothing may read or change. */
function places() {
  const base = newFolder()
  const [tree, outside] = [path.join(base, 'tree'), path.join(base, 'outside')]
  for (const folder of [tree, outside]) fs.mkdirSync(folder)
  for (const folder of ['.', 'a', 'b', 'a/b', 'b/a'].map((name) => path.join(outside, name))) {
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(path.join(folder, 'f'), SECRET)
  }
  return { base, tree, outside, before: listing(outside) }
}

const listing = (folder: string) =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted()
    .map((place) => {
      const { mode, ino, mtimeMs } = fs.lstatSync(place)
      return [place, mode, ino, mtimeMs, fs.statSync(place).isFile() && fs.readFileSync(place, 'utf8')]
    })
const codeOf = (work: Promise<unknown>) => work.then(() => 'ok', (error: unknown) => (error instanceof ForeignFileError ? error.code : String(error))) // prettier-ignore

describe('a folder of somebody else', () => {
  it('is read and written, and keeps what a program left in it', () =>
    inForeign(newFolder(), async (folder) => {
      await folder.writeFile('a/b/file', 'text', { mode: 0o640, limitBytes: LIMIT })
      await folder.writeFile('a/b/file', 'longer text', { mode: 0o755, limitBytes: LIMIT })
      await folder.makeLink('a/link', '../../elsewhere')
      expect(await folder.text('a/b/file', LIMIT)).toBe('longer text')
      expect(await text(await folder.stream('a/b/file'))).toBe('longer text')
      expect(await folder.readLink('a/link')).toBe('../../elsewhere')
      expect(await folder.find('a/b/file')).toMatchObject({ kind: 'file', size: 11, mode: 0o755 })
      const all = await Array.fromAsync(folder.walk())
      expect(all.map(({ name, kind }) => `${kind} ${name}`)).toEqual(['folder a', 'folder a/b', 'file a/b/file', 'link a/link'])
      await folder.rename('a/b', 'c/d')
      expect(await folder.list('c/d')).toEqual([{ name: 'c/d/file', kind: 'file' }])
      await folder.removeTree('c')
      expect(await folder.list()).toEqual([{ name: 'a', kind: 'folder' }])
    }))

  it('is only left through no link, whatever part of a path it is', async () => {
    const { tree, outside, before } = places()
    fs.symlinkSync(outside, path.join(tree, 'link'))
    fs.symlinkSync(path.join(outside, 'f'), path.join(tree, 'f'))
    fs.symlinkSync('loop', path.join(tree, 'loop'))
    await inForeign(tree, async (folder) => {
      const write = { mode: 0o600, limitBytes: LIMIT }
      const calls = [
        (name: string) => folder.read(name, LIMIT),
        (name: string) => folder.writeFile(name, 'x', write),
        (name: string) => folder.remove(name),
        (name: string) => folder.setMode(name, 0o777),
      ]
      for (const name of ['link/f', 'link/a/f', 'loop/f']) for (const call of calls) expect(await codeOf(call(name))).toBe('not_a_folder')
      expect(await folder.find('link/f')).toBeNull()
      expect(await codeOf(folder.list('link'))).toBe('not_a_folder')
      expect(await codeOf(folder.makeFolder('link/new'))).toBe('not_a_folder')
      expect(await codeOf(folder.read('f', LIMIT))).toBe('link')
      const bad = ['..', '../outside/f', '/etc/passwd', 'a/../../outside/f', 'a//f', '.', 'a\0', 'x/'.repeat(5000)]
      expect(await Promise.all(bad.map((name) => codeOf(folder.read(name, LIMIT))))).toEqual(bad.map(() => 'name'))
      await folder.writeFile('f', 'own', write)
      await folder.removeTree('link')
      expect(fs.lstatSync(path.join(tree, 'f')).isFile()).toBe(true)
    })
    expect(listing(outside)).toEqual(before)
  })

  it('opens regular files of the stated size only, and waits for none', async () => {
    const { tree } = places()
    execFileSync('mkfifo', [path.join(tree, 'fifo')])
    fs.writeFileSync(path.join(tree, 'large'), '')
    fs.truncateSync(path.join(tree, 'large'), 10 * 1024 ** 3)
    const server = net.createServer().listen(path.join(tree, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    await inForeign(tree, async (folder) => {
      expect(await codeOf(folder.read('fifo', LIMIT))).toBe('not_regular')
      expect(await codeOf(folder.read('socket', LIMIT))).toBe('not_regular')
      expect(await codeOf(folder.read('large', LIMIT))).toBe('too_large')
      expect(await codeOf(folder.read('', LIMIT))).toBe('folder')
      expect(await codeOf(folder.writeFile('new', 'x'.repeat(LIMIT + 1), { mode: 0o600, limitBytes: LIMIT }))).toBe('too_large')
      expect(await folder.find('new')).toBeNull()
      expect(await folder.textOrNull('fifo', LIMIT)).toBeNull()
    })
    const gone = new ForeignFolder(path.join(tree, 'gone'))
    expect(await codeOf(gone.list())).toBe('missing')
  })

  it('is read and written only inside, in random trees that change meanwhile', { timeout: 600_000 }, async () => {
    const { base, tree, outside, before } = places()
    const stock = { fifo: path.join(base, 'fifo'), device: path.join(base, 'device') }
    execFileSync('mkfifo', [stock.fifo])
    execFileSync(process.getuid?.() === 0 ? 'mknod' : 'touch', process.getuid?.() === 0 ? [stock.device, 'c', '1', '5'] : [stock.device])
    fs.mkdirSync(path.join(base, 'old'))
    let trees = 0
    const swapper = await startSwapper(tree, outside)
    onTestFinished(() => void swapper.kill('SIGKILL'))
    const targets = [outside, path.join(outside, 'f'), '../outside', '../outside/f', '..', '/proc/self', '/dev/zero', '.', 'a', '../tree/a']
    const name = fc.constantFrom(
      'a',
      'b',
      'f',
      'a/f',
      'b/f',
      'a/b',
      'b/a',
      'a/b/f',
      'b/a/f',
      'a/a/b',
      '..',
      '../outside/f',
      'a/../../outside/f',
    )
    const kind = fc.constantFrom('folder', 'folder', 'file', 'link', 'link', 'fifo', 'device')
    const planted = fc.array(fc.record({ name, kind, target: fc.constantFrom(...targets) }), { maxLength: 6 })
    const action = fc.constantFrom(
      'read',
      'stream',
      'find',
      'list',
      'walk',
      'write',
      'makeFolder',
      'makeLink',
      'setMode',
      'remove',
      'rename',
    )
    const calls = fc.array(fc.record({ action, name, other: name }), { minLength: 1, maxLength: 6 })
    const run = async (folder: ForeignFolder, { action: what, name: one, other }: { action: string; name: string; other: string }) => {
      const file = { mode: 0o600, limitBytes: LIMIT }
      switch (what) {
        case 'read': return folder.text(one, LIMIT) // prettier-ignore
        case 'stream': return text(await folder.stream(one)) // prettier-ignore
        case 'find': return JSON.stringify(await folder.find(one)) // prettier-ignore
        case 'list': return JSON.stringify(await folder.list(one, 50)) // prettier-ignore
        case 'walk': return JSON.stringify(await Array.fromAsync(folder.walk(one))) // prettier-ignore
        case 'write': return folder.writeFile(one, 'inside', file) // prettier-ignore
        case 'makeFolder': return folder.makeFolder(one) // prettier-ignore
        case 'makeLink': return folder.makeLink(one, outside) // prettier-ignore
        case 'setMode': return folder.setMode(one, 0o666) // prettier-ignore
        case 'remove': return folder.removeTree(one) // prettier-ignore
        default: return folder.rename(one, other) // prettier-ignore
      }
    }
    await fc.assert(
      fc.asyncProperty(planted, calls, async (plants, actions) => {
        // built beside it: the swapper must not lead the test itself astray
        const [next, old] = [path.join(base, `next-${(trees += 1)}`), path.join(base, 'old', `${trees}`)]
        fs.mkdirSync(next)
        for (const plant of plants) put(next, stock, plant)
        fs.renameSync(tree, old)
        fs.renameSync(next, tree)
        const answers = await inForeign(tree, (folder) => Promise.all(actions.map((one) => run(folder, one).catch((error: unknown) => { requireKnown(error); return undefined })))) // prettier-ignore
        for (const answer of answers) expect(answer ?? '').not.toContain(SECRET)
      }),
      { numRuns: soaking(200, 10_000) },
    )
    expect(swapper.exitCode).toBeNull()
    expect(listing(outside)).toEqual(before)
    expect(fs.readdirSync(base).toSorted()).toEqual(['device', 'fifo', 'old', 'outside', 'tree'])
  })
})

describe('a file opened by its whole path', () => {
  const opened = (file: string) => {
    try {
      const handle = openPlain(file)
      try {
        return fs.readFileSync(handle, 'utf8')
      } finally {
        fs.closeSync(handle)
      }
    } catch (error) {
      return error instanceof ForeignFileError ? error.code : String(error)
    }
  }

  it('is a regular one, with no link on its path', () => {
    const { tree, outside } = places()
    for (const folder of ['a/b', 'd (deleted)']) fs.mkdirSync(path.join(tree, folder), { recursive: true })
    for (const name of ['a/b/f', 'd (deleted)/f (deleted)']) fs.writeFileSync(path.join(tree, name), 'inside')
    fs.symlinkSync(outside, path.join(tree, 'link'))
    fs.symlinkSync('a', path.join(tree, 'near'))
    fs.symlinkSync('b/f', path.join(tree, 'a/file'))
    execFileSync('mkfifo', [path.join(tree, 'fifo')])
    const names = ['a/b/f', 'd (deleted)/f (deleted)', 'link/f', 'near/b/f', 'a/file', 'link/a/f', 'fifo', 'a', 'none', 'a/b/f/x']
    expect(names.map((name) => opened(path.join(tree, name)))).toEqual(
      ['inside', 'inside', 'link', 'link', 'link', 'link', 'not_regular', 'folder', 'missing', 'not_a_folder'],
    ) // prettier-ignore
    expect(opened('/dev/zero')).toBe('not_regular')
  })

  it('is never one outside, while a program swaps its folder for a link', { timeout: 120_000 }, async () => {
    const { tree, outside, before } = places()
    fs.mkdirSync(path.join(tree, 'a'))
    fs.writeFileSync(path.join(tree, 'a', 'f'), 'inside')
    const swapper = await startSwapper(tree, outside)
    onTestFinished(() => void swapper.kill('SIGKILL'))
    const seen = new Map<string, number>()
    for (let n = 0; n < 30_000 || (seen.size < 2 && n < 3_000_000); n += 1) {
      const answer = opened(path.join(tree, 'a', 'f'))
      seen.set(answer, (seen.get(answer) ?? 0) + 1)
    }
    expect(swapper.exitCode).toBeNull()
    expect([...seen.keys()].filter((answer) => !['inside', 'link', 'missing', 'not_a_folder'].includes(answer))).toEqual([])
    expect(seen.get('inside')).toBeGreaterThan(0)
    expect(listing(outside)).toEqual(before)
  })
})

/** Refusals, and what the file system says of a tree that changes; nothing else. */
function requireKnown(error: unknown): void {
  const { code } = error as NodeJS.ErrnoException
  if (!(error instanceof ForeignFileError) && !['EINVAL', 'EBUSY', 'ESTALE'].includes(code ?? '')) throw error
}

function put(
  tree: string,
  stock: { fifo: string; device: string },
  { name, kind, target }: { name: string; kind: string; target: string },
): void {
  const place = path.join(tree, name)
  const isBelow = (folder: string): boolean => folder === tree || (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? true)
  if (name.includes('..') || !isBelow(path.join(tree, name.split('/')[0]!)) || !isBelow(path.dirname(place)) || fs.lstatSync(place, { throwIfNoEntry: false })) return // prettier-ignore
  fs.mkdirSync(path.dirname(place), { recursive: true })
  if (kind === 'folder') fs.mkdirSync(place)
  else if (kind === 'file') fs.writeFileSync(place, 'inside')
  else if (kind === 'link') fs.symlinkSync(target, place)
  else fs.linkSync(stock[kind as keyof typeof stock], place)
}

async function startSwapper(tree: string, outside: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'fixtures', 'swapper.mjs'), tree, outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  return child
}
