import os from 'node:os'
import fc from 'fast-check'
import { afterAll } from 'vitest'
import { allowRunningIn } from './server/src/process/program.ts'

allowRunningIn(os.tmpdir()) // data directories of tests

/** The same examples at every run, so that main is green or red for everyone; BASHGYM_SEED=<n> tries others. */
fc.configureGlobal({ seed: Number(process.env['BASHGYM_SEED'] ?? 20_261_121) })

/** Files share their modules and timers: what one leaves behind would fail another one a minute later. */
const { setInterval: begin, clearInterval: end } = globalThis
const begun = new Map<unknown, Error>()
globalThis.setInterval = (...args: Parameters<typeof begin>) => {
  const timer = begin(...args)
  begun.set(timer, new Error('An interval was begun here, and not ended by the end of the file.'))
  return timer
}
globalThis.clearInterval = (timer) => {
  begun.delete(timer)
  end(timer)
}
afterAll(() => {
  globalThis.setInterval = begin
  globalThis.clearInterval = end
  for (const error of begun.values()) throw error
})
