import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { openGate } from './gate.ts'
import { residualScan } from './residual.ts'
import { testGateInput } from './testing-gate.ts'

const gate = (defaultStrategy: ReplaceStrategy) => openGate(testGateInput({ defaultStrategy }))

/** Lines as in transcripts, with the value that must be removed. */
const LINES: readonly (readonly [line: string, value: string])[] = [
  ['Author: Linnea Sandqvist <linnea.sandqvist@nordhavn.dk>', 'linnea.sandqvist@nordhavn.dk'],
  ['{"email": "linnea.sandqvist@nordhavn.dk", "n": 1}', 'linnea.sandqvist@nordhavn.dk'],
  ['GET /u?mail=linnea.sandqvist%40nordhavn.dk&x=1', 'linnea.sandqvist%40nordhavn.dk'],
  ['card number: 4539 1488 0343 6467', '4539 1488 0343 6467'],
  ['IBAN: DE89 3704 0044 0532 0130 00', '3704 0044 0532'],
  ['phone: +1 415 867 5309', '415 867 5309'],
  ['SSN: 536-22-8145', '536-22-8145'],
  ['connect from 84.17.52.201 ok', '84.17.52.201'],
  ['ls /home/sandqvist/src/app.ts', '/sandqvist/'],
  ['date of birth: 1987-03-14', '1987-03-14'],
  [`export ANTHROPIC_API_KEY=sk-ant-api03-${'Qz7'.repeat(31)}AA`, 'Qz7Qz7Qz7'],
  ['password: "Tr0ub4dor&3x"', 'Tr0ub4dor&3x'],
  ['DATABASE_URL=postgres://app:Sup3rS3cretPw@db.nordhavn.dk:5432/main', 'Sup3rS3cretPw'],
]

describe.each(ReplaceStrategy.options)('under %s', (strategy) => {
  it('removes the values, and a new gate finds nothing in the result', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...LINES], { minLength: 1 }), (lines) => {
        const once: string = gate(strategy).clear(lines.map(([line]) => line).join('\n'))
        for (const [, value] of lines) expect(once).not.toContain(value)
        const again = gate(strategy)
        expect(again.clear(once)).toBe(once)
        expect(again.report().findingsByType).toEqual({})
      }),
      { numRuns: 40 },
    )
  })

  it('finds nothing new where a sign stands between a label and what was replaced', () => {
    for (const label of ['password=', 'password: ', 'token=', 'api_key=', 'secret: '])
      for (const sign of ['@', '#', ':', '://', '%40'])
        for (const value of ['ada@corp.io', '+1 415 867 5309', '4539 1488 0343 6467', '/home/sandqvist/src']) {
          const once = gate(strategy).clear(`${label}${sign}${value}`)
          const again = gate(strategy)
          expect(again.clear(once)).toBe(once)
          expect(again.report().findingsByType).toEqual({})
        }
  })

  it('keeps JSON valid, and the second scanner finds nothing', async () => {
    const rows = LINES.map(([line]) => JSON.stringify({ messages: [{ role: 'tool', content: JSON.stringify({ out: line }) }] }))
    const cleared = rows.map((row) => JSON.stringify(gate(strategy).clear(JSON.parse(row))))
    for (const row of cleared) {
      const inner = (JSON.parse(row) as { messages: { content: string }[] }).messages[0]!.content
      expect(Object.keys(JSON.parse(inner) as object)).toEqual(['out'])
    }
    expect((await residualScan(rows)).findings).toBeGreaterThan(5)
    expect((await residualScan(cleared)).byType).toEqual({})
  })
})
