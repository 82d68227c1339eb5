import { expect, it } from 'vitest'
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
    const { planted, files } = await plantControls('pytest', facts)
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
  expect([...places].toSorted()).toEqual([0, 2, 3])
  expect(names.size).toBeGreaterThan(20)
})
