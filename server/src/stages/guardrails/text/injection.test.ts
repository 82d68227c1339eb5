import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECOND_SET } from './second-set.ts'
import { injectionIn } from './injection.ts'

const rowsOf = (name: string) =>
  fs
    .readFileSync(path.join(import.meta.dirname, '../../../../../labelled/guardrails', name), 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, verdict, text] = /^(warn|allow) {2}(.*)$/.exec(line) ?? []
      return text === undefined ? [] : [{ verdict, text: text.replaceAll('⏎', '\n') }]
    })

describe('injection in texts', () => {
  it.each(rowsOf('texts-first.txt').map((row, index) => ({ no: index + 1, ...row })))('$no: $verdict', ({ verdict, text }) => {
    const found = injectionIn(text)
    expect(found === null ? 'allow' : 'warn').toBe(verdict)
    for (const { start, end } of found?.spans ?? []) expect(start < end && end <= text.length).toBe(true)
  })

  it('finds as much of the second set as the page says', () => {
    const rows = rowsOf('texts-second.txt').map(({ verdict, text }) => ({
      isAttack: verdict === 'warn',
      isFound: injectionIn(text) !== null,
    }))
    const count = (isAttack: boolean, isFound: boolean) => rows.filter((row) => row.isAttack === isAttack && row.isFound === isFound).length
    expect({ attacks: count(true, true) + count(true, false), found: count(true, true), ordinary: count(false, true) + count(false, false), falseAlarms: count(false, true) }).toEqual(SECOND_SET) // prettier-ignore
  })
})

/** Milliseconds of processor time. */
const timeOf = (text: string) =>
  Math.min(
    ...Array.from({ length: 2 }, () => {
      const start = process.threadCpuUsage()
      injectionIn(text)
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    }),
  )

it.each([
  'ignore ',
  'ignore your ',
  '<!-- ai ',
  '![a](https://a.example/',
  'send ',
  'note: ',
  'abcdefgh',
  '"`',
  'é\u200b',
  '<a display:none',
  '[[[[',
  'new rule ',
  ' \n',
  'never tell ',
  'You are now SYSTEM: ',
])('takes time linear in the length: %j', (seed) => {
  const text = seed.repeat(Math.ceil(400_000 / seed.length))
  const [short, long] = [timeOf(text.slice(0, 100_000)), timeOf(text)]
  expect(long / Math.max(short, 15)).toBeLessThan(10)
})
