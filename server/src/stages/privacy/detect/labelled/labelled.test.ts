import { describe, expect, it } from 'vitest'
import { SECRET_TYPES } from '#contracts/entities/privacy.ts'
import { scan } from '../index.ts'
import { labelledSet, measure, type Score } from './set.ts'

const set = labelledSet()
const SECRETS: ReadonlySet<string> = new Set(SECRET_TYPES)

const sum = (scores: readonly Score[]) =>
  scores.reduce(
    (total, score) => ({
      positives: total.positives + score.positives,
      found: total.found + score.found,
      findings: total.findings + score.findings,
      right: total.right + score.right,
    }),
    {
      positives: 0,
      found: 0,
      findings: 0,
      right: 0,
    },
  )

describe.each([
  ['seen while tuning', set.filter(({ heldOut }) => !heldOut)],
  ['held out', set.filter(({ heldOut }) => heldOut)],
])('the labelled set, %s', (_, part) => {
  const { byType, negatives, negativesTouched } = measure(part, scan)
  const of = (wanted: (type: string) => boolean) => sum([...byType].filter(([type]) => wanted(type)).map(([, score]) => score))
  const recall = (wanted: (type: string) => boolean) => of(wanted).found / of(wanted).positives

  it('finds the secrets', () => expect(recall((type) => SECRETS.has(type))).toBeGreaterThanOrEqual(0.95))
  it('finds what a checksum, a range or a form proves', () =>
    expect(
      recall((type) => ['email', 'phone', 'ssn', 'credit_card', 'iban', 'ip_address', 'date_of_birth'].includes(type)),
    ).toBeGreaterThanOrEqual(0.9))
  it('finds people and addresses', () => {
    expect(recall((type) => type === 'person')).toBeGreaterThanOrEqual(0.75)
    expect(recall((type) => type === 'address')).toBeGreaterThanOrEqual(0.75)
  })
  it('finds personal data of all types together', () => expect(recall((type) => !SECRETS.has(type))).toBeGreaterThanOrEqual(0.85))
  it('is right about what it finds', () => {
    const all = of(() => true)
    expect(all.right / all.findings).toBeGreaterThanOrEqual(0.9)
  })
  it('leaves ordinary code, logs, hashes and versions alone', () => expect(negativesTouched / negatives).toBeLessThanOrEqual(0.03))
})

it('holds 25 positives of every type and 400 negatives', () => {
  const { byType, negatives } = measure(set, () => [])
  expect(negatives).toBeGreaterThanOrEqual(400)
  const few = [...byType]
    .filter(([type, { positives }]) => positives < 25 && type !== 'private_key' && type !== 'auth_token')
    .map(([type]) => type)
  expect(few).toEqual([])
})
