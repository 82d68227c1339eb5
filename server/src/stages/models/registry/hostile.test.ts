import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import type { Run } from '#contracts/entities/run.ts'
import { newFolder } from '#server/testing/folders.ts'
import inspect from './inspect.job.ts'
import { originOf } from './origin.ts'

let folder: string
let outside: string
beforeEach(() => {
  const base = newFolder()
  ;[folder, outside] = [path.join(base, 'run'), path.join(base, 'outside')]
  for (const place of [folder, outside]) fs.mkdirSync(place)
})

/** Ways to put something else in place of a file. `content` is what the file outside has. */
const replacements = (content: Buffer | string): [string, (file: string) => void][] => [
  [
    'a link',
    (file) => {
      fs.writeFileSync(path.join(outside, 'x'), content)
      fs.symlinkSync(path.join(outside, 'x'), file)
    },
  ],
  ['a pipe', (file) => void execFileSync('mkfifo', [file])],
  [
    'a huge file',
    (file) => {
      fs.writeFileSync(file, '')
      fs.truncateSync(file, 1024 ** 4)
    },
  ],
]

it('facts of a run come from regular files in its folder only', () => {
  const run = { folder, request: {}, method: { kind: 'lora' }, baseModelPath: '/m', settings: {} } as unknown as Run
  const origin = () => originOf(run, null, () => null)
  const file = path.join(folder, 'inputs.json')
  const content = JSON.stringify({ data: { '/etc/x': 'hash' }, model: 'secret' })
  fs.writeFileSync(file, content)
  expect(origin().lineage.baseHash).toBe('secret')
  for (const [what, replace] of replacements(content)) {
    fs.rmSync(file, { force: true })
    replace(file)
    expect([what, origin().lineage.baseHash, origin().dataHashes]).toEqual([what, null, {}])
  }
})

it('parameters of a model are counted in regular files of its own folder only', async () => {
  const header = Buffer.from(JSON.stringify({ w: { shape: [2, 3] } }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  const content = Buffer.concat([length, header])
  const file = path.join(folder, 'model.safetensors')
  fs.writeFileSync(file, content)
  expect(await inspect({ place: folder, weights: folder })).toMatchObject({ parameters: 6, files: [{ name: 'model.safetensors' }] })
  for (const [, replace] of replacements(content).slice(0, 2)) {
    fs.rmSync(file)
    replace(file)
    await expect(inspect({ place: folder, weights: folder })).rejects.toThrow(/model\.safetensors is /)
    expect(await inspect({ place: folder, weights: null })).toMatchObject({ files: [], bytes: 0 })
  }
})
