/** Applies what a file describes, and kills itself at the given call that changes files; run as its own process. */
import fs from 'node:fs'
import { type CarryOut, carryOut } from './tree/carry-out.ts'
import { endJournal } from './tree/journal.ts'
import { rollBack } from './tree/roll-back.ts'

const [file = '', at = '', then = ''] = process.argv.slice(2)
const input = JSON.parse(fs.readFileSync(file, 'utf8')) as CarryOut
const CHANGING = ['mkdir', 'write', 'writeFile', 'rename', 'unlink', 'link', 'symlink', 'rmdir', 'rm', 'fsync', 'sync', 'chown', 'chmod'] // prettier-ignore
const handle = await fs.promises.open(file)
let calls = 0
for (const owner of [fs, fs.promises, Object.getPrototypeOf(handle)] as Record<string, unknown>[])
  for (const name of CHANGING.flatMap((one) => [one, `${one}Sync`])) {
    const real = owner[name] as ((...args: unknown[]) => unknown) | undefined
    if (real === undefined || (owner === fs && !name.endsWith('Sync'))) continue
    owner[name] = function killing(this: unknown, ...args: unknown[]) {
      if ((calls += 1) === Number(at)) process.kill(process.pid, 'SIGKILL')
      // what a killed process wrote stays in the page cache, and a sync takes seconds on a busy disk
      return name.includes('sync') ? Promise.resolve() : real.apply(this, args)
    }
  }
await handle.close()
process.stdout.write('began\n')
if (then === 'roll-back') await rollBack(input.folder)
else if ((await carryOut(input)).length === 0) endJournal(input.folder, 'applied')
process.stdout.write(`${calls}\n`)
