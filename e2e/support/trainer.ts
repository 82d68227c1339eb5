import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { cacheDir } from '../../scripts/lib/probe.mjs'
import { root } from './server.ts'

/** A Python with the trainers' libraries; empty: there is none, and what needs it is skipped. */
export const PYTHON = process.env['BASHGYM_TEST_PYTHON'] ?? ''

const TRAINERS = path.join(root, 'server', 'trainers')

/**
 * Fills a folder with a tiny Qwen2 with random weights, always the same: two layers, hidden size 64. It is made once into
 * the cache from what it is made by.
 */
export function tinyModel(folder: string, python = PYTHON): string {
  const made = path.join(cacheDir, `tiny-model-${recipe(python)}`)
  if (!fs.existsSync(made)) {
    fs.mkdirSync(cacheDir, { recursive: true })
    const part = fs.mkdtempSync(`${made}-`)
    try {
      make(part, python)
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

/** The same in a temporary folder; remove it when it is no longer needed. */
export const makeTinyModel = (python = PYTHON): string => tinyModel(fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-tiny-')), python)

/** Sessions are longer than the 1,024 tokens that the tiny model says it takes; its positions are computed, so it takes more. */
export function acceptingSessions(model: string): string {
  const config = path.join(model, 'config.json')
  fs.writeFileSync(config, JSON.stringify({ ...(JSON.parse(fs.readFileSync(config, 'utf8')) as object), max_position_embeddings: 8192 }))
  return model
}

/** The interpreter itself, where PYTHON forks (support/forking.ts): its path is the same in each run. */
const real = (python: string): string => (python === PYTHON ? process.env['BASHGYM_TEST_REAL_PYTHON'] || python : python)

function make(folder: string, python: string): void {
  execFileSync(python, ['make_model.py', folder], {
    cwd: path.join(TRAINERS, 'tests'),
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, PYTHONPATH: TRAINERS, PYTHONDONTWRITEBYTECODE: '1', HF_HUB_OFFLINE: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** Of the scripts that make it, and the versions of the libraries that they use. */
function recipe(python: string): string {
  const files = ['tests/make_model.py', 'tests/make_tokenizer.py', 'pyproject.toml']
  const hash = createHash('sha256').update(real(python))
  for (const name of files) hash.update(fs.readFileSync(path.join(TRAINERS, name)))
  return hash.digest('hex').slice(0, 16)
}
