import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { evaluate } from './engine.ts'

const rows = fs
  .readFileSync(path.join(import.meta.dirname, '../../../../labelled/guardrails/commands.txt'), 'utf8')
  .split('\n')
  .filter((line) => /^(?:allow|warn|block) /.test(line))
  .map((line) => {
    const [, native, sandbox, rule, command] = /^(\S+) (\S+) (\S+) {2}(.*)$/.exec(line)!
    return { native, sandbox, rule: rule === '-' ? null : rule, command: command!.replaceAll('⏎', '\n') }
  })

describe('verdicts on labelled commands', () => {
  it.each(rows)('$native $sandbox: $command', ({ native, sandbox, rule, command }) => {
    const [onMachine, inSandbox] = (['native', 'sandbox'] as const).map((profile) => evaluate(command, profile, '/home/dev/project'))
    expect([onMachine!.verdict, inSandbox!.verdict]).toEqual([native, sandbox])
    expect((onMachine!.verdict === 'allow' ? inSandbox : onMachine)!.rule).toBe(rule)
  })
})

test('the labelled set has enough commands', () => {
  expect(rows.length).toBeGreaterThan(250)
  expect(rows.filter(({ native }) => native === 'allow').length).toBeGreaterThan(100)
})
