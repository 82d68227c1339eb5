import { expect, it } from 'vitest'
import { ReplaceStrategy, SECRET_TYPES } from '#contracts/entities/privacy.ts'
import { applyFindings, createReplacer } from '#server/stages/privacy/replace/index.ts'
import { scan } from '../index.ts'
import { positives } from './set.ts'

const texts = [...positives(), ...positives('last-positives.txt')].map(({ text }) => text)

it.each(ReplaceStrategy.options)('a second pass changes nothing after %s', (strategy) => {
  const strategies = Object.fromEntries(SECRET_TYPES.map((type) => [type, strategy]))
  const replace = createReplacer(Buffer.alloc(32, 7), { defaultStrategy: strategy, strategies })
  const pass = (text: string) => applyFindings(text, scan(text), ({ type }, value) => replace(type, value), scan).text
  const once = texts.map(pass)
  expect(once.filter((text, index) => text !== texts[index]).length).toBeGreaterThan(0.85 * texts.length)
  expect(once.filter((text) => pass(text) !== text)).toEqual([])
})
