import fs from 'node:fs'
import path from 'node:path'
import { env } from 'node:process'
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { inTerminal } from './terminal.ts'

const folder = useFolder()

it('keeps the input of the terminal open, because `script` waits two seconds at its end for a command that reads nothing', () => {
  const TIMED_OUT = 142
  const stub = '#!/bin/bash\nhead -c 20 >/dev/null\nread -r -t 0.2 -N 1\nexit $?\n'
  fs.writeFileSync(path.join(folder, 'script'), stub, { mode: 0o755 })
  const { status } = spawnSync('bash', ['-c', inTerminal('true', false)], {
    env: { PATH: `${folder}:${env['PATH']}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  expect(status).toBe(TIMED_OUT)
})
