import { describe, expect, it } from 'vitest'
import { scan } from '../index.ts'
import { isPersonal, isSecret, measure, precision, recall } from './measure.ts'
import { labelledSet } from './set.ts'

const set = labelledSet()
const CHECKED = new Set(['email', 'phone', 'ssn', 'credit_card', 'iban', 'ip_address', 'date_of_birth'])

describe.each([
  ['used for tuning', set.filter(({ heldOut }) => !heldOut)],
  ['held out', set.filter(({ heldOut }) => heldOut)],
])('the labelled set, %s', (_, part) => {
  const { byType, touched } = measure(part, scan)

  it('finds the secrets', () => expect(recall(byType, isSecret)).toBeGreaterThanOrEqual(0.95))
  it('finds values with a checksum, a range or a fixed format', () =>
    expect(recall(byType, (type) => CHECKED.has(type))).toBeGreaterThanOrEqual(0.9))
  it.each(['person', 'address'])('finds most values of type %s', (wanted) =>
    expect(recall(byType, (type) => type === wanted)).toBeGreaterThanOrEqual(0.75),
  )
  it('finds personal data of all types together', () => expect(recall(byType, isPersonal)).toBeGreaterThanOrEqual(0.85))
  it('reports few other values', () => expect(precision(byType)).toBeGreaterThanOrEqual(0.9))
  it('reports nothing in ordinary code, logs, hashes and versions', () =>
    expect(touched / part.filter(({ spans }) => spans.length === 0).length).toBeLessThanOrEqual(0.03))
})

it('the labelled set has 25 positives of every type and 400 negatives', () => {
  expect(set.filter(({ spans }) => spans.length === 0).length).toBeGreaterThanOrEqual(400)
  const few = [...measure(set, () => []).byType]
    .filter(([type, { labelled }]) => labelled < 25 && type !== 'private_key' && type !== 'auth_token')
    .map(([type]) => type)
  expect(few).toEqual([])
})
