import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './server.ts'

const TRAINERS = path.join(root, 'server', 'trainers')

/**
 * Before a suite: BASHGYM_TEST_PYTHON names a Python whose trainers fork from one that has the libraries loaded, because loading them
 * takes six seconds of processor time and a suite starts dozens. BASHGYM_TEST_REAL_PYTHON is the one that was named before.
 * Returns what ends it.
 */
export default function forkTrainers(): () => void {
  const real = process.env['BASHGYM_TEST_PYTHON'] ?? ''
  if (real === '' || process.platform !== 'linux') return () => {}
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-forking-'))
  const socket = path.join(folder, 'socket')
  const server = spawn(real, [path.join(TRAINERS, 'tests', 'forking.py'), socket], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONPATH: TRAINERS, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const program = path.join(folder, 'python')
  const text = fs.readFileSync(path.join(import.meta.dirname, 'forking.py'), 'utf8')
  const values: [string, string][] = [
    ['"{REAL}"', JSON.stringify(real)],
    ['"{SOCKET}"', JSON.stringify(socket)],
    ['"{TRAINERS}"', JSON.stringify(TRAINERS)],
  ]
  fs.writeFileSync(
    program,
    values.reduce((whole, [name, value]) => whole.replace(name, value), `#!${real} -IS\n${text}`),
    { mode: 0o755 },
  )
  process.env['BASHGYM_TEST_PYTHON'] = program
  process.env['BASHGYM_TEST_REAL_PYTHON'] = real
  return () => {
    process.env['BASHGYM_TEST_PYTHON'] = real
    server.kill('SIGKILL')
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
