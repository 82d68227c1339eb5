import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Whether a test may mount a small tmpfs (root on Linux); tests use one to simulate a full disk. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0 && tryMount()

function tryMount(): boolean {
  const probe = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-mount-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', probe], { stdio: 'ignore' })
    execFileSync('umount', [probe])
    return true
  } catch {
    return false
  } finally {
    fs.rmdirSync(probe)
  }
}
