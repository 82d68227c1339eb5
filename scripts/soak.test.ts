import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { remembered } from './lib/soak-state.mjs'

let folder: string
let file: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-soak-'))
  file = path.join(folder, 'cache', 'soak.json')
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

it('goes on with the seed and the parts of an interrupted soak', () => {
  const first = remembered(file, {})
  first.pass('growth')
  expect(remembered(file, {})).toMatchObject({ seed: first.seed, passed: ['growth'] })
  expect(remembered(file, { seed: String(first.seed) })).toMatchObject({ passed: ['growth'] })
})

it('begins anew with another seed, when asked, and after everything has passed', () => {
  remembered(file, { seed: '7' }).pass('growth')
  expect(remembered(file, { again: true, seed: '7' }).passed).toEqual([])
  remembered(file, { seed: '7' }).pass('growth')
  expect(remembered(file, { seed: '8' })).toMatchObject({ seed: 8, passed: [] })
  remembered(file, { seed: '8' }).end()
  expect(remembered(file, {}).passed).toEqual([])
  expect(() => remembered(file, { seed: 'x' })).toThrow('not a seed')
})
