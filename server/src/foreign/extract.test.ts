import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { soaking } from '#server/testing/soak.ts'
import { extractInto, ForeignTarError, inForeign } from './index.ts'

type Entry = Parameters<ReturnType<typeof pack>['entry']>[0] & { content?: string }

function tarOf(entries: readonly Entry[]): Readable {
  const archive = pack()
  for (const { content = '', ...header } of entries)
    archive.entry({ ...header, ...(header.type === 'file' && { size: content.length }) }, content)
  archive.finalize()
  return Readable.from(archive)
}
const file = (name: string, content = 'x', more: Partial<Entry> = {}): Entry => ({ name, type: 'file', content, ...more })
const folder = (name: string): Entry => ({ name, type: 'directory' })
const link = (name: string, linkname: string): Entry => ({ name, type: 'symlink', linkname })

/** A folder to unpack into, and one beside it that nothing may change. */
function places() {
  const base = newFolder()
  const [into, outside] = [path.join(base, 'into'), path.join(base, 'outside')]
  for (const place of [into, outside]) fs.mkdirSync(place)
  fs.writeFileSync(path.join(outside, 'f'), 'kept')
  return { base, into, outside, outsideNow: () => [fs.readdirSync(base), fs.readdirSync(outside), fs.readFileSync(path.join(outside, 'f'), 'utf8')] } // prettier-ignore
}

describe('an archive that somebody else made', () => {
  it('is unpacked with its files, folders and links, without devices, and can be removed whatever its modes', async () => {
    const { into } = places()
    await extractInto(
      into,
      tarOf([
        folder('./'),
        folder('./a/'),
        file('./a/run', 'echo', { mode: 0o4755 }),
        file('./a/none', 'x', { mode: 0o200 }),
        file('deep/b/line\nbreak', ''),
        link('./up', '../../../etc'),
        { name: './fifo', type: 'fifo' },
        { name: './disk', type: 'block-device', devmajor: 8, devminor: 0 },
      ]),
    )
    const modeOf = (name: string) => fs.statSync(path.join(into, name)).mode & 0o7777
    expect(fs.readdirSync(into).toSorted()).toEqual(['a', 'deep', 'up'])
    expect([modeOf('a/run'), modeOf('a/none'), fs.readlinkSync(path.join(into, 'up'))]).toEqual([0o755, 0o600, '../../../etc'])
    expect(fs.readdirSync(path.join(into, 'deep/b'))).toEqual(['line\nbreak'])
    await expect(extractInto(into, tarOf([file('x')]))).rejects.toThrow('is not empty')
  })

  it.each<[string, (outside: string) => Entry[], RegExp]>([
    ['a file below a link', (outside) => [link('l', outside), file('l/f')], /"l\/f" is below "l"/],
    ['a link below a link', (outside) => [link('l', outside), link('l/new', '/etc')], /is below/],
    ['a folder below a link', (outside) => [link('l', outside), folder('l/new')], /is below/],
    ['a link through a link made before it', () => [link('a', '../outside'), link('a/b', 'x'), file('a/b/c')], /is below/],
    ['a link in place of a folder that has files', (outside) => [folder('d'), link('d', outside), file('d/f')], /twice/],
    ['a link in place of a folder that is only implied', (outside) => [file('d/e/g'), link('d', outside)], /twice/],
    ['a link in place of a file', (outside) => [file('g'), link('g', `${outside}/f`)], /twice/],
    ['a file twice', () => [file('g'), file('./g')], /twice/],
    ['a file below a file', () => [file('g'), file('g/h')], /is below/],
    ['a hard link', (outside) => [{ name: 'h', type: 'link', linkname: `${outside}/f` }], /hard link/],
    ['names that lead out', () => [file('../outside/f')], /not a path that can be below/],
    ['names that lead out later', () => [file('a/../../outside/f')], /not a path/],
    ['absolute names', (outside) => [file(`${outside}/f`)], /not a path/],
    ['an empty name', () => [file('/')], /names no file/],
    ['a part of a file', () => [{ name: 'c', type: 'contiguous-file' }], /not unpacked/],
    ['a link to nothing', () => [link('l', '')], /without a usable target/],
  ])('is refused for %s, and leaves nothing', async (_, entries, why) => {
    const { into, outside, outsideNow } = places()
    const before = outsideNow()
    const error = await extractInto(into, tarOf([file('first'), ...entries(outside), file('last')])).catch((one: unknown) => one)
    expect(error).toBeInstanceOf(ForeignTarError)
    expect((error as Error).message).toMatch(why)
    expect([fs.readdirSync(into), outsideNow()]).toEqual([[], before])
  })

  it('is refused where it is too large, has too many files, never ends or is none', async () => {
    const limits = { entries: 10, bytes: 1000 }
    const cases: [Readable, RegExp][] = [
      [tarOf(Array.from({ length: 11 }, (_x, n) => file(`f${n}`))), /more than 10 files/],
      [tarOf([file('a/b/c/d/e/f/g/h/i/j/k')]), /more than 10 files/],
      [tarOf([file('f', 'x'.repeat(600)), file('g', 'x'.repeat(600))]), /more than 1000 bytes/],
      [Readable.from((function* () { for (;;) yield Buffer.alloc(65_536) })()), /longer than/], // prettier-ignore
      [Readable.from([Buffer.alloc(512, 'x')]), /damaged/],
      [Readable.from([(tarOf([file('f', 'x'.repeat(900))]).read() as Buffer | null) ?? Buffer.alloc(0), Buffer.alloc(512, 1)]), /damaged/],
    ]
    for (const [tar, why] of cases) {
      const { into } = places()
      await expect(extractInto(into, tar, limits)).rejects.toThrow(why)
      expect(fs.readdirSync(into)).toEqual([])
    }
  })

  it('writes only inside, in random archives', { timeout: 240_000 }, async () => {
    const { base, outside, outsideNow } = places()
    const name = fc.oneof(
      fc.constantFrom('a', 'b', 'a/b', 'b/a', 'a/b/f', './a', 'a/', '..', '../outside/f', 'a/../../outside/f', '/', '', './', `${outside}/f`, 'a//f', 'a/./f', 'A', 'a\0b'),
      fc.array(fc.constantFrom('a', 'b', 'f', '..', '.', ''), { maxLength: 4 }).map((parts) => parts.join('/')),
    ) // prettier-ignore
    const entry = fc.record({
      name,
      type: fc.constantFrom('file', 'file', 'directory', 'symlink', 'symlink', 'link', 'fifo', 'character-device', 'contiguous-file'),
      linkname: fc.constantFrom('..', '../outside', '../outside/f', outside, `${outside}/f`, '.', 'a', '/', ''),
      mode: fc.constantFrom(0, 0o644, 0o755, 0o7777),
    })
    const before = outsideNow()
    const counts = { done: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 6 }), async (entries) => {
        const into = path.join(base, 'into')
        fs.rmSync(into, { recursive: true, force: true })
        fs.mkdirSync(into)
        const unpacked = await extractInto(into, tarOf(entries as Entry[])).then(() => true, (error: unknown) => { if (!(error instanceof ForeignTarError)) throw error; return false }) // prettier-ignore
        counts[unpacked ? 'done' : 'refused'] += 1
        expect(unpacked || fs.readdirSync(into).length === 0).toBe(true)
        const kinds = await inForeign(into, (made) => Array.fromAsync(made.walk(), ({ kind }) => kind))
        expect(kinds).not.toContain('other')
      }),
      { numRuns: soaking(200, 10_000) },
    )
    expect(outsideNow()).toEqual(before)
    expect(Math.min(counts.done, counts.refused)).toBeGreaterThan(soaking(30, 500)) // both were tried
  })
})
