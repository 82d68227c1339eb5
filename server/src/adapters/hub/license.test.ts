import { expect, test } from 'vitest'
import { licenseIn } from './license.ts'

test.each([
  ['---\nlicense: apache-2.0\ntags: [a]\n---\n# Model', 'apache-2.0'],
  ['---\r\nlicense: "mit" # as the base\r\n---\r\n', 'mit'],
  ['---\nlicense: other\nlicense_name: qwen-research\n---\n', 'qwen-research'],
  ['---\nlicense:\nlicense_name: gemma\n---\n', 'gemma'],
  ['---\nlicense: other\n---\n', 'other'],
  ['---\ntags: [a]\n---\nlicense: mit', null],
  ['license: mit', null],
])('the licence in %j is %s', (card, license) => {
  expect(licenseIn(card)).toBe(license)
})
