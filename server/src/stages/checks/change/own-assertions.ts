/** Assertions that a test file uses itself, each as code that fails unless the sum is right. A control that fails by them finds out whether they still work. */
import { lookup } from '#contracts/lookup.ts'
import type { Sum } from './control-names.ts'

type Assertion = (sum: string, total: number) => string

const PYTHON: Readonly<Record<string, Assertion>> = lookup({
  assertEqual: (sum, total) => `self.assertEqual(${sum}, ${total})`,
  assertAlmostEqual: (sum, total) => `self.assertAlmostEqual(${sum}, ${total})`,
  assertTrue: (sum, total) => `self.assertTrue(${sum} == ${total})`,
  assertFalse: (sum, total) => `self.assertFalse(${sum} != ${total})`,
  assertIn: (sum, total) => `self.assertIn(${sum}, [${total}])`,
  assertNotIn: (sum, total) => `self.assertNotIn(True, [${sum} != ${total}])`,
  assertListEqual: (sum, total) => `self.assertListEqual([${sum}], [${total}])`,
  assertDictEqual: (sum, total) => `self.assertDictEqual({1: ${sum}}, {1: ${total}})`,
  assertRaises: (sum, total) => `self.assertRaises(ZeroDivisionError, lambda: 1 // (${sum} - ${total}))`,
})

/** Calls of TestCase in a file of Python. */
export const pythonAssertions = (text: string, { left, right, total }: Sum): string[] =>
  Object.entries(PYTHON).flatMap(([name, code]) => (text.includes(`self.${name}(`) ? [code(`${left} + ${right}`, total)] : []))

const COMPARED =
  /\b(?:(require\(['"](?:node:)?assert(?:\/strict)?['"]\)|assert(?:\.strict)?)\.)?(equal|strictEqual|deepEqual|deepStrictEqual|ok)\(/g
const MATCHERS = ['toBe', 'toEqual', 'toStrictEqual', 'to.equal', 'to.eql', 'to.deep.equal']

/** Calls of assert and expect in a script. Only what the file has at its top level can be called by a control. */
export function scriptAssertions(text: string, { left, right, total }: Sum): string[] {
  const sum = `${left} + ${right}`
  const isThere = (name: string) =>
    new RegExp(String.raw`^(?:import|(?:const|let|var)\s)[^\n]*\b${name}\b[^\n]*(?:from\s|=\s*(?:await import|require)\()`, 'm').test(text)
  const found = new Set<string>()
  for (const { 1: owner, 2: name } of text.matchAll(COMPARED)) {
    if (owner === undefined ? !isThere(name!) : owner.startsWith('assert') && !isThere('assert')) continue
    found.add(`${owner === undefined ? '' : `${owner}.`}${name}(${sum}${name === 'ok' ? ' ===' : ','} ${total})`)
  }
  if (/(?<![\w.])assert\(/.test(text) && isThere('assert')) found.add(`assert(${sum} === ${total})`)
  // a test may get `expect` as its argument
  if (/(?<![\w.])expect\(/.test(text) && !/\(\s*\{[^}]*\bexpect\b[^}]*\}\s*\)\s*=>/.test(text))
    for (const matcher of MATCHERS) if (text.includes(`.${matcher}(`)) found.add(`expect(${sum}).${matcher}(${total})`)
  return [...found]
}
