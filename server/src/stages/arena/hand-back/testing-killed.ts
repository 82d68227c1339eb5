/** Applies what a file describes, and kills itself at the given call that changes files; run as its own process. */
import fs from 'node:fs'
import { type CarryOut, carryOut } from './tree/carry-out.ts'
import { endJournal } from './tree/journal.ts'
import { rollBack } from './tree/roll-back.ts'

const [file = '', at = '', then = ''] = process.argv.slice(2)
const input = JSON.parse(fs.readFileSync(file, 'utf8')) as CarryOut
const CHANGING = ['mkdirSync', 'writeSync', 'writeFileSync', 'renameSync', 'unlinkSync', 'linkSync', 'symlinkSync', 'rmdirSync', 'rmSync', 'fsyncSync', 'fchmodSync', 'chmodSync'] as const // prettier-ignore
let calls = 0
for (const name of CHANGING) {
  const real = fs[name] as (...args: unknown[]) => unknown
  Object.assign(fs, {
    [name](...args: unknown[]) {
      if ((calls += 1) === Number(at)) process.kill(process.pid, 'SIGKILL')
      // what a killed process wrote stays in the page cache, and a sync takes seconds on a busy disk
      return name === 'fsyncSync' ? undefined : real(...args)
    },
  })
}
process.stdout.write('began\n')
if (then === 'roll-back') rollBack(input.folder)
else if (carryOut(input).length === 0) endJournal(input.folder, 'applied')
process.stdout.write(`${calls}\n`)
