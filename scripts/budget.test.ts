import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { budgetFaults, lowered, measured, partOf } from './lib/budget.mjs'

const figures = (entries: Record<string, number>) => new Map(Object.entries(entries))
const faultsOf = (...args: Parameters<typeof budgetFaults>) => budgetFaults(...args).join('\n')

it('counts lines by room, long functions, `!` and prettier-ignore, and no tests', () => {
  const tree = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-budget-'))
  const files = {
    'server/src/stages/gym/plan.ts': `export const a = (b: number[]) => b[0]!\n\n// prettier-ignore\nexport const c = 1\n`,
    'server/src/stages/gym/plan.test.ts': 'export const d = [1][0]!\n',
    'renderer/src/ui/long.tsx': `export function Long() {\n${'  one()\n'.repeat(120)}}\n`,
    'docs/page.md': 'x\n',
  }
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.join(tree, path.dirname(name)), { recursive: true })
    fs.writeFileSync(path.join(tree, name), text)
  }
  expect(Object.fromEntries(measured(tree, Object.keys(files)))).toEqual({
    'lines: all': 125,
    'lines: server/stages/gym': 3,
    'lines: renderer/ui': 122,
    'functions over 120 lines': 1,
    '!': 1,
    'prettier-ignore': 1,
  })
  fs.rmSync(tree, { recursive: true })
})

it('a room is a stage, a feature or a folder of a process', () => {
  expect(
    ['server/src/app.ts', 'server/src/stages/gym/a/b.ts', 'renderer/src/features/home/page.tsx', 'contracts/src/x/y.ts'].map(partOf),
  ).toEqual(['server', 'server/stages/gym', 'renderer/features/home', 'contracts'])
})

it('refuses growth without a reason, a limit that rose, a limit far above, and a room without a line', () => {
  const table = { 'lines: server/db': { limit: 1000 } }
  expect(faultsOf(table, figures({ 'lines: server/db': 1000 }))).toBe('')
  expect(faultsOf(table, figures({ 'lines: server/db': 1001 }))).toContain('over its limit of 1000')
  const raised = (why: string) => ({ 'lines: server/db': { limit: 1000, raised: [{ by: 50, why }] } })
  expect(faultsOf(raised('a reader of old backups'), figures({ 'lines: server/db': 1050 }))).toBe('')
  expect(faultsOf(raised('more'), figures({ 'lines: server/db': 1050 }))).toContain('a reason')
  expect(faultsOf({ 'lines: server/db': { limit: 1050 } }, figures({ 'lines: server/db': 1050 }), [table])).toContain('rose from 1000')
  expect(faultsOf(table, figures({ 'lines: server/db': 700 }))).toContain('far below')
  expect(faultsOf(table, figures({ 'lines: server/db': 1000, 'lines: server/new': 5 }))).toContain('no line')
  expect(faultsOf(table, figures({}))).toContain('is gone')
})

it('lowers the table and never raises it', () => {
  const table = { '!': { limit: 10 }, gone: { limit: 3 }, '?': { limit: 400 } }
  expect(lowered(table, figures({ '!': 12, '?': 200, 'lines: new': 5 }))).toEqual({
    '!': { limit: 10 },
    '?': { limit: 208 },
    'lines: new': { limit: 45 },
  })
})
