import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describeShell } from './testing-conformance.ts'
import { hostMachine } from './testing-host.ts'

const open = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-shell-'))
  return Promise.resolve({
    machine: hostMachine(folder),
    close: () => {
      fs.rmSync(folder, { recursive: true })
      return Promise.resolve()
    },
  })
}

describeShell('a plain process', 'pipe', open)
describeShell('a plain process', 'terminal', open)
