// What a soak has passed, in a file, so that it goes on after an interruption.
import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

/** @param {string} file @param {{ seed?: string, again?: boolean }} options */
export function remembered(file, { seed, again = false }) {
  const before = !again && fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : null
  const same = before !== null && (seed === undefined || Number(seed) === before.seed)
  const state = same ? before : { seed: seed === undefined ? crypto.randomInt(2 ** 31) : Number(seed), passed: [] }
  if (!Number.isSafeInteger(state.seed)) throw new Error(`"${seed}" is not a seed: give a whole number.`)
  const write = () => {
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, JSON.stringify(state))
  }
  write()
  return {
    seed: /** @type {number} */ (state.seed),
    passed: /** @type {string[]} */ ([...state.passed]),
    pass(name) {
      state.passed.push(name)
      write()
    },
    /** Everything has passed: the next soak takes another seed. */
    end: () => fs.rmSync(file),
  }
}
