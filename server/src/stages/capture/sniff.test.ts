import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { decompressFile, sniff } from './sniff.ts'

const root = useFolder()

it('unpacks a compressed transcript, but not one that becomes far more than any session', () => {
  const line = '{"type":"session_meta","payload":{"id":"0199a213-81c0-7800-8aa1-bbab2a035a53","cwd":"/x"}}\n'
  const good = path.join(root, 'good.jsonl.zst')
  fs.writeFileSync(good, zlib.zstdCompressSync(line))
  expect(sniff(good)).toMatchObject({ agent: 'codex', cwd: '/x' })
  const bomb = path.join(root, 'bomb.jsonl.zst')
  const frame = zlib.zstdCompressSync(Buffer.alloc(16 * 1024 ** 2, ' '))
  fs.writeFileSync(bomb, Buffer.concat(Array.from({ length: 64 }, () => frame))) // 1 GB
  expect(fs.statSync(bomb).size).toBeLessThan(1024 ** 2)
  expect(() => decompressFile(bomb)).toThrow('so it was not imported')
  expect(() => sniff(bomb)).toThrow('so it was not imported')
})
