import { describe, expect, it } from 'vitest'
import { growthFault, noteMeasured, patternsIn, unitsOf, unmeasured } from '#server/testing-growth.ts'
import { residualScan } from '#server/stages/privacy/residual.ts'
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
  '-----END PRIVATE KEY-----\n',
  '-----END PRIVATE KEY-----',
  '-----BEGIN RSA ',
  'PtYgjmUhBel31iEl2hpChYgCfrL1spNxnyVmihA/2O76UMFxFkM/R5Kjp1vRt+1f\n',
  '1\t',
  '1\t\n',
  '     1→x\n',
  '"1→\n2→',
  'a.b:1:x\n',
  'a.b:x\n',
  'web | x\n',
  '09:00:00 x\n',
  '> x\n',
  'x-abc1-',
  '/home/Ab Ab ',
]

describe('scan time grows linearly with the text', () => {
  it('for repetitions of texts that the detectors search for', async () => {
    const patterns = patternsIn(import.meta.dirname, (file) => !/^(?:blind|labelled)\//.test(file))
    expect(patterns.length).toBeGreaterThan(1000)
    const units = new Set([...KNOWN, ...unmeasured(patterns).flatMap((pattern) => unitsOf(pattern, 1).map((unit) => `${unit} `))])
    const faults: string[] = []
    for (const unit of units) faults.push(...((await growthFault((text) => scan(text), unit)) ?? '').split('\n').filter(Boolean))
    expect(faults).toEqual([])
    noteMeasured(patterns)
  }, 300_000)

  it('for the second scanner', async () => {
    const own = patternsIn(`${import.meta.dirname}/../stages/privacy`, (file) => /^residual[^/]*$/.test(file))
    const units = new Set([...KNOWN, ...unmeasured(own).flatMap((pattern) => unitsOf(pattern, 2))])
    const faults: string[] = []
    for (const unit of units) faults.push(...((await growthFault((text) => residualScan([text]), unit)) ?? '').split('\n').filter(Boolean))
    expect(faults).toEqual([])
    noteMeasured(own)
  }, 300_000)
})
