import { describe, expect, it } from 'vitest'
import { growthFault, patternsIn, unitsOf } from '#server/testing-growth.ts'
import { residualScan } from '../residual.ts'
import { scan } from './scan.ts'

/** Inputs whose scan once took quadratic time. */
const KNOWN = [
  'mysql://u:',
  'http://',
  'http://*@',
  'file://',
  'http://a.b/&quot',
  ' 15',
  '28-81 ',
  '7695973614 ',
  'dn: o=\n',
  'BEGIN:VCARD\n',
  'BEGIN:VCALENDAR\n',
  'a@b.',
  '%20',
  'password: ',
  '{"key": "',
  '-----BEGIN PRIVATE KEY-----\n',
  'eyJ',
]

describe('scan time grows linearly with the text', () => {
  it('for repetitions of texts that the detectors search for', async () => {
    const patterns = patternsIn(import.meta.dirname, (file) => !/^(?:blind|labelled)\//.test(file))
    expect(patterns.length).toBeGreaterThan(1000)
    const units = new Set([...KNOWN, ...patterns.flatMap((pattern) => unitsOf(pattern, 1).map((unit) => `${unit} `))])
    expect(units.size).toBeGreaterThan(700)
    const faults: string[] = []
    for (const unit of units) faults.push(...((await growthFault((text) => scan(text), unit)) ?? '').split('\n').filter(Boolean))
    expect(faults).toEqual([])
  }, 300_000)

  it('for the second scanner', async () => {
    const own = patternsIn(`${import.meta.dirname}/..`, (file) => /^residual[^/]*$/.test(file))
    const units = new Set([...KNOWN, ...own.flatMap((pattern) => unitsOf(pattern, 2))])
    const faults: string[] = []
    for (const unit of units) faults.push(...((await growthFault((text) => residualScan([text]), unit)) ?? '').split('\n').filter(Boolean))
    expect(faults).toEqual([])
  }, 300_000)
})
