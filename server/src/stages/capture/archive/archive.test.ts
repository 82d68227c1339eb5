import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { traceId } from '../identity.ts'
import type { Follower } from '../types.ts'
import { appendTraces } from './append.ts'
import type { AppendFile, AppendOptions } from './append-types.ts'
import { MANIFEST } from './manifest.ts'
import { chunks, currentSources, readManifest, readRange } from './reader.ts'

let dataDir: string
let traceDir: string
let file: string

beforeEach(() => {
  dataDir = newFolder()
  traceDir = path.join(dataDir, 'archive', 'claude-code', 'trace')
  file = path.join(dataDir, 'session.jsonl')
})

const main = (): AppendFile => ({ path: file, name: 'main-00000000', kind: 'main' })
const append = async (files: AppendFile[] = [main()], options: AppendOptions = {}) =>
  (
    await appendTraces(
      [{ traceDir, traceId: traceId('claude-code', 's'), agent: 'claude-code', sessionId: 's', sample: false, files }],
      options,
    )
  )[0]!
const archived = (name = 'main-00000000') => {
  const source = currentSources(readManifest(traceDir)).find((candidate) => candidate.name === name)!
  return { source, bytes: Buffer.concat([...chunks(source)]) }
}
/** Adds each piece that it reads to `pieces`, and throws at the step `failingStep`. */
const follower = (pieces: string[], failingStep?: 'begin' | 'feed' | 'result') => (): Follower => {
  const fail = (step: typeof failingStep) => {
    if (step === failingStep) throw new Error('broken')
  }
  fail('begin')
  return {
    feed: ({ name, generation }, offset, bytes) => {
      fail('feed')
      pieces.push(`${name}.${generation}@${offset} ${bytes.toString()}`)
    },
    result: () => {
      fail('result')
      return [...pieces]
    },
  }
}
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const expectSameBytes = () => {
  const raw = fs.readFileSync(file)
  const { source, bytes } = archived()
  expect(bytes.equals(raw)).toBe(true)
  expect(source.bytes).toBe(raw.length)
  expect(source.sha256).toBe(sha256(raw))
}

describe('a follower', () => {
  it('reads every byte of a new session, but nothing of an existing one', async () => {
    const pieces: string[] = []
    fs.writeFileSync(file, '{"a":1}\n{"b":')
    const meta = { path: file, name: 'meta-1', kind: 'meta' as const }
    const all = ['main-00000000.1@0 {"a":1}\n{"b":', 'meta-1.1@0 {"a":1}\n{"b":']
    expect(await append([main(), meta], { follow: follower(pieces) })).toMatchObject({ isNew: true, failed: null, followerResult: all })
    fs.appendFileSync(file, '2}\n')
    expect(await append([main(), meta], { follow: follower(pieces) })).not.toHaveProperty('followerResult')
    expect(pieces).toEqual(all)
  })

  it.each(['begin', 'feed', 'result'] as const)('that fails (%s) does not affect the archive', async (failingStep) => {
    fs.writeFileSync(file, '{"a":1}\n')
    const result = await append([main()], { follow: follower([], failingStep) })
    expect(result).toMatchObject({ added: 8, failed: null })
    expect(result.followerResult).toBeUndefined()
    expectSameBytes()
  })
})

describe('archive', () => {
  it('stores the bytes of a file including an incomplete last line, and continues when it is completed', async () => {
    fs.writeFileSync(file, '{"a":1}\n{"b":')
    expect(await append()).toMatchObject({ isNew: true, added: 13, failed: null })
    expectSameBytes()
    fs.appendFileSync(file, '2}\n')
    expect(await append()).toMatchObject({ isNew: false, added: 3 })
    expectSameBytes()
    expect(archived().source).toMatchObject({
      generation: 1,
      frames: [
        { offset: 0, length: 13 },
        { offset: 13, length: 3 },
      ],
    })
  })

  it('archives NUL bytes, invalid UTF-8 and a line of 50 MB unchanged', async () => {
    fs.writeFileSync(file, Buffer.concat([Buffer.from([0, 0xff, 0xfe, 10]), Buffer.alloc(50 << 20, 'x'), Buffer.from('\n{"last":true}\n')]))
    await append()
    expectSameBytes()
    expect(archived().source.frames.some(({ length }) => length > 50 << 20)).toBe(true)
  })

  it('splits frames of about a megabyte at line ends and reads any range over them', async () => {
    const line = `${JSON.stringify({ text: 'y'.repeat(999) })}\n`
    fs.writeFileSync(file, line.repeat(4000))
    await append()
    const { source } = archived()
    expect(source.frames.length).toBeGreaterThan(3)
    expect(source.frames.every(({ offset, length }) => length <= 2 << 20 && (offset + length) % line.length === 0)).toBe(true)
    const raw = fs.readFileSync(file)
    for (const [offset, length] of [
      [0, 1],
      [source.frames[1]!.offset - 5, 10],
      [1_000_000, 2_500_000],
      [raw.length - 3, 100],
      [raw.length, 1],
    ] as const) {
      expect(readRange(source, offset, length).equals(raw.subarray(offset, offset + length))).toBe(true)
    }
    expect(Buffer.concat([...chunks(source, 1_500_000)]).equals(raw.subarray(1_500_000))).toBe(true)
  })

  it.each([
    ['shrank', () => fs.writeFileSync(file, '{"a":1}\n')],
    ['was rewritten in place with the same size', () => fs.writeFileSync(file, '{"a":9}\n{"b":2}\n')],
    [
      'was replaced by a longer one',
      () => {
        fs.writeFileSync(`${file}.new`, '{"x":1}\n{"y":2}\n{"z":3}\n')
        fs.renameSync(`${file}.new`, file)
      },
    ],
  ])('starts the next generation when the file %s, and keeps the old one', async (_, change) => {
    fs.writeFileSync(file, '{"a":1}\n{"b":2}\n')
    const cache = new Map<string, unknown>()
    await append([main()], { cache })
    change()
    fs.utimesSync(file, new Date(), new Date(Date.now() + 5000))
    await append([main()], { cache })
    expect(archived().source.generation).toBe(2)
    expectSameBytes()
    const old = readManifest(traceDir).find(({ generation }) => generation === 1)!
    expect(readRange(old, 0, 100).toString()).toBe('{"a":1}\n{"b":2}\n')
  })

  it('stays in its generation when only the inode or the time changed', async () => {
    fs.writeFileSync(file, '{"a":1}\n')
    await append()
    fs.copyFileSync(file, `${file}.copy`)
    fs.renameSync(`${file}.copy`, file)
    fs.appendFileSync(file, '{"b":2}\n')
    await append()
    expect(archived().source.generation).toBe(1)
    expectSameBytes()
  })

  it('reports the file that cannot be read and archives the others', async () => {
    fs.writeFileSync(file, '{"a":1}\n')
    const result = await append([{ path: path.join(dataDir, 'gone.jsonl'), name: 'agent-1', kind: 'subagent' }, main()])
    expect(result.errors).toEqual([
      { path: path.join(dataDir, 'gone.jsonl'), code: 'ENOENT', message: expect.stringContaining('deleted or moved') },
    ])
    expectSameBytes()
  })

  it('truncates bytes and a manifest line left incomplete by a crash, and reads them again', async () => {
    fs.writeFileSync(file, '{"a":1}\n')
    await append()
    fs.appendFileSync(path.join(traceDir, 'main-00000000.1.zst'), 'half a frame')
    fs.appendFileSync(path.join(traceDir, MANIFEST), '{"source":"main-0000')
    fs.appendFileSync(file, '{"b":2}\n')
    const result = await append()
    expect(result.repaired).toEqual([expect.stringContaining('unfinished line'), expect.stringContaining('cut 12 bytes')])
    expectSameBytes()
  })

  it('never truncates data if the middle of the manifest is damaged: it continues in a new generation', async () => {
    fs.writeFileSync(file, '{"a":1}\n')
    await append()
    fs.appendFileSync(file, '{"b":2}\n')
    await append()
    const manifest = path.join(traceDir, MANIFEST)
    const [first, second] = fs.readFileSync(manifest, 'utf8').split('\n')
    fs.writeFileSync(manifest, `${first}\n${'#'.repeat(second!.length)}\n`)
    const before = fs.statSync(path.join(traceDir, 'main-00000000.1.zst')).size
    await append()
    expect(fs.statSync(path.join(traceDir, 'main-00000000.1.zst')).size).toBe(before)
    expect(archived().source.generation).toBe(2)
    expectSameBytes()
  })

  it('reports the file and the frame of a changed byte in the archive', async () => {
    fs.writeFileSync(file, '{"a":1}\n'.repeat(100))
    await append()
    const data = path.join(traceDir, 'main-00000000.1.zst')
    const bytes = fs.readFileSync(data)
    bytes[bytes.length - 6]! ^= 0xff
    fs.writeFileSync(data, bytes)
    expect(() => archived()).toThrow(expect.objectContaining({ code: 'archive_damaged', message: expect.stringContaining(data) }))
  })

  it('stores nothing of a cancelled call', async () => {
    fs.writeFileSync(file, '{"a":1}\n')
    await append()
    fs.appendFileSync(file, Buffer.alloc(40 << 20, '{"a":1}\n'))
    const controller = new AbortController()
    const result = await append([main()], { signal: controller.signal, onBytes: () => controller.abort() })
    expect(result.failed).toMatchObject({ code: 'ABORT_ERR' })
    expect(archived().source.bytes).toBe(8)
    await append()
    expectSameBytes()
  })

  it('stores all of a file that is deleted while it is read', async () => {
    const raw = Buffer.alloc(3 << 20, '{"a":1}\n')
    fs.writeFileSync(file, raw)
    await append([main()], { onBytes: () => fs.rmSync(file, { force: true }) })
    expect(archived().bytes.equals(raw)).toBe(true)
  })

  it('stores the bytes read from a file that shrinks during reading, and its new content as the next generation', async () => {
    const raw = Buffer.alloc(3 << 20, '{"a":1}\n')
    fs.writeFileSync(file, raw)
    await append([main()], { onBytes: () => fs.truncateSync(file, 8) })
    const first = archived()
    expect(first.bytes.length).toBeGreaterThan(0)
    expect(first.bytes.equals(raw.subarray(0, first.bytes.length))).toBe(true)
    expect(first.source.sha256).toBe(sha256(first.bytes))
    await append()
    expect(archived().source.generation).toBe(2)
    expectSameBytes()
  })

  it('reports no source for a file that became empty, and starts a generation once it has bytes', async () => {
    fs.writeFileSync(file, '{"a":1}\n')
    const before = await append()
    fs.truncateSync(file)
    expect(await append()).toMatchObject({ added: 0, sources: [], errors: [], failed: null })
    expect(readManifest(traceDir).map(({ generation }) => generation)).toEqual([1])
    fs.writeFileSync(file, '{"b":2}\n{"c":3}\n')
    const after = await append()
    expect([...before.sources, ...after.sources].map(({ generation, bytes }) => [generation, bytes])).toEqual([
      [1, 8],
      [2, 16],
    ])
    expectSameBytes()
  })

  it('creates no folder for files without bytes', async () => {
    fs.writeFileSync(file, '')
    await append()
    expect(fs.existsSync(traceDir)).toBe(false)
  })
})

describe('traceId', () => {
  it('is 26 characters of base32 over agent and session id', () => {
    expect(traceId('claude-code', 's')).toMatch(/^[a-z2-7]{26}$/)
    expect(traceId('claude-code', 's')).not.toBe(traceId('codex', 's'))
  })
})
