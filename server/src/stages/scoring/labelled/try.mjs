import fs from 'node:fs'
import { readCommand } from '../shell/read-command.ts'
import { recognise } from '../verification/kinds.ts'
const rows = fs
  .readFileSync(new URL('./commands.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((l) => l && !l.startsWith('#'))
  .map((l) => {
    const m = /^(\w+)\s+(.*)$/.exec(l)
    return [m[1], m[2].replaceAll('\\n', '\n')]
  })
let miss = 0,
  held = 0,
  heldMiss = 0
rows.forEach(([kind, c], i) => {
  const found = readCommand(c)
    .commands.map(({ bare }) => recognise(bare)?.kind)
    .filter(Boolean)
  const got = ['test', 'build', 'lint'].find((k) => found.includes(k)) ?? 'none'
  if (i % 3 === 2) held++
  if (got !== kind) {
    miss++
    if (i % 3 === 2) heldMiss++
    else console.log(kind.padEnd(6), 'got', got.padEnd(6), c)
  }
})
console.log(rows.length, 'miss', miss, 'held', held, 'heldMiss', heldMiss)
