import { expect, test } from 'vitest'
import { z } from 'zod'
import { DatasetRecipe } from './entities/dataset.ts'
import { RunRequest } from './entities/run.ts'
import { plainWords } from './plain-words.ts'

const wordsFor = (schema: z.ZodType, value: unknown): string[] => schema.safeParse(value).error?.issues.map(plainWords) ?? []

test.each<[string, z.ZodType, unknown]>([
  ['At most 3 characters are allowed.', z.string().max(3), 'abcd'],
  ['This is empty.', z.string().min(1), ''],
  ['At least 2 characters are needed.', z.string().min(2), 'a'],
  ['This is missing.', z.string(), undefined],
  ['This is not a number.', z.number(), Number.NaN],
  ['This is not a number.', z.number(), 'x'],
  ['This is not an object.', z.object({}), [1]],
  ['This is not a whole number.', z.number().int(), 1.5],
  ['At most 10 is allowed.', z.number().max(10), 11],
  ['Less than 1 is allowed.', z.number().lt(1), 1],
  ['More than 0 is needed.', z.number().positive(), 0],
  ['At least 0.000001 is needed.', z.number().min(1e-6), 0],
  ['At least one is required.', z.array(z.string()).min(1), []],
  ['At most 2 entries are allowed.', z.array(z.string()).max(2), ['a', 'b', 'c']],
  ['This must be one of a, b.', z.enum(['a', 'b']), 'c'],
  ['This must be a.', z.literal('a'), 'c'],
  ['This must be one of a, b.', z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]), { k: 'c' }],
  ['More than 0 is needed.', z.union([z.literal('all'), z.number().positive()]), 0],
  ['Unknown: b.', z.strictObject({}), { b: 1 }],
  ['This is not a web address.', z.url(), 'b'],
  ['This does not have the required format.', z.string().regex(/^a/), 'b'],
  ['Choose one', z.string().min(1, 'Choose one'), ''],
])('%s', (words, schema, value) => expect(wordsFor(schema, value)).toEqual([words.endsWith('.') ? words : `${words}.`]))

test('no field of the long forms speaks in the words of the library', () => {
  const values = [undefined, null, '', 'x'.repeat(20_000), -1, 0, 1.5, 1e300, Number.NaN, [], {}, true]
  const messages = [RunRequest, DatasetRecipe].flatMap((schema) =>
    Object.keys(schema.shape).flatMap((name) => values.flatMap((value) => wordsFor(schema, { [name]: value }))),
  )
  expect(messages.length).toBeGreaterThan(50)
  expect(messages.filter((words) => /expected|received|Invalid|Too (?:big|small)|string|regex/.test(words))).toEqual([])
})
