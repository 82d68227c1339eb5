import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './server.ts'

/** A Python with the trainers' libraries; empty: there is none, and what needs it is skipped. */
export const PYTHON = process.env['BASHGYM_TEST_PYTHON'] ?? ''

/** A model of two layers with random weights. Answers its folder; remove it when it is no longer needed. */
export function makeTinyModel(python = PYTHON): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-tiny-'))
  const trainers = path.join(root, 'server', 'trainers')
  execFileSync(python, ['make_model.py', folder], {
    cwd: path.join(trainers, 'tests'),
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONPATH: trainers, PYTHONDONTWRITEBYTECODE: '1', HF_HUB_OFFLINE: '1' },
    stdio: 'ignore',
  })
  return folder
}
