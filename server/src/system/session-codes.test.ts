import { expect, test } from 'vitest'
import { createSessionCodes } from './session-codes.ts'

test('a code is good once, and for 60 seconds', () => {
  let clock = 0
  const codes = createSessionCodes(() => clock)
  const [first, second] = [codes.create().code, codes.create().code]
  expect(first).not.toBe(second)
  clock = 59_999
  expect(codes.redeem(first)).toBe(true)
  expect(codes.redeem(first)).toBe(false)
  clock = 60_000
  expect(codes.redeem(second)).toBe(false)
})

test('open codes are bounded; the newest stay', () => {
  const codes = createSessionCodes(() => 0)
  const made = Array.from({ length: 150 }, () => codes.create().code)
  expect(codes.redeem(made.at(-1)!)).toBe(true)
  expect(codes.redeem(made[0]!)).toBe(false)
})
