import { expect, it } from 'vitest'
import type { CheckRunner } from '#contracts/entities/check.ts'
import { plantControls } from './controls.ts'

const FILES: Record<string, string> = {
  'tests/test_price.py':
    'import pytest\nfrom shop import discount\n\ndef test_discount_of_ten():\n    assert discount(10) == 1\n\n@pytest.mark.slow\ndef test_discount_of_none():\n    text = """\ndef test_quoted():\n    pass\n"""\n    assert discount(0) == 0\n\ndef test_basket():\n    assert True\n',
}
const facts = { files: Object.keys(FILES), read: async (name: string) => FILES[name]! }

it('looks like the tests of the file, at a random place, and alike whether it passes or fails', async () => {
  const places = new Set<number>()
  const names = new Set<string>()
  for (let time = 0; time < 200; time += 1) {
    const { planted, files } = await plantControls([{ runner: 'pytest', folder: '' }], facts)
    const { text } = files[0]!
    expect(planted.map(({ outcome }) => outcome).toSorted()).toEqual(['failed', 'passed'])
    for (const { name } of planted) {
      expect(name).toMatch(/^test_(?:discount_of_ten|discount_of_none|quoted|basket)(?:_[a-z]+){1,2}$/)
      expect(FILES['tests/test_price.py']).not.toContain(name)
      const body = new RegExp(`(?:^|\\n)def ${name}\\(\\):\\n    assert \\d+ \\+ \\d+ == \\d+\\n`).exec(text)
      expect(body).not.toBeNull()
      expect(text.slice(0, body!.index).split('"""').length % 2).toBe(1)
      expect(text.slice(0, body!.index)).not.toMatch(/@pytest\.mark\.slow\s*$/)
      places.add(text.slice(0, body!.index).match(/def test_(?:discount_of_ten|discount_of_none|basket)\(/g)?.length ?? 0)
      names.add(name)
    }
  }
  expect([...places].toSorted((a, b) => a - b)).toEqual([0, 2, 3])
  expect(names.size).toBeGreaterThan(20)
})

it.each<[CheckRunner, string, string]>([
  ['unittest', 'test_a.py', 'import unittest\nclass Test(unittest.TestCase):\n    def testAdd(self):\n        self.fail()\n'],
  ['node', 'a.test.js', "const test = require('node:test')\ntest('adds', () => {})\n"],
  ['vitest', 'a.test.ts', "import { it } from 'vitest'\nit('2 adds', () => {})\n"],
  ['jest', 'a.test.js', "describe('x', () => {\n  it.each([1])('%d', () => {})\n})\n"],
  ['mocha', 'a.spec.js', "it('adds', () => {})\n"],
  ['go', 'a_test.go', 'package a\n\nimport "testing"\n\nfunc TestAdd(t *testing.T) {\n}\n'],
  ['cargo', 'tests/a.rs', '#[test]\nfn adds() {}\n'],
  ['bats', 'a.bats', '@test "adds" {\n  true\n}\n'],
])('is added for %s, with two names that the file has not', async (runner, file, text) => {
  for (let time = 0; time < 50; time += 1) {
    const { planted, files } = await plantControls([{ runner, folder: '' }], { files: [file], read: async () => text })
    const [one, other] = planted.map(({ name }) => name)
    expect(one).not.toBe(other)
    for (const name of [one!, other!]) expect([text.includes(name), files[0]!.text.split(name).length]).toEqual([false, 2])
  }
})
