import vm from 'node:vm'

/** Work that was stopped because it took too long. */
export class TimeLimitError extends Error {
  constructor(ms: number) {
    super(`It took longer than ${ms} ms.`)
    this.name = 'TimeLimitError'
  }
}

const TASK = Symbol.for('bashgym: task under a time limit')
const global = globalThis as { [TASK]?: () => unknown }
// A script of our own, without outside text: only `vm` stops code that loops, regular expressions included.
Object.defineProperty(globalThis, 'bashgymTimeLimit', { value: () => global[TASK]!(), configurable: true }) // a thread may load this module in two builds
const script = new vm.Script('bashgymTimeLimit()')

/**
 * What `task` returns; throws `TimeLimitError` after `ms`. The task is stopped at once, `finally` blocks do not
 * run, so it must hold nothing open. A call costs a quarter of a millisecond.
 */
export function withTimeLimit<T>(ms: number, task: () => T): T {
  const outer = global[TASK]
  global[TASK] = task
  try {
    return script.runInThisContext({ timeout: Math.max(1, Math.ceil(ms)) }) as T // what `task` returned
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TimeLimitError(ms)
    throw error
  } finally {
    if (outer) global[TASK] = outer
    else delete global[TASK]
  }
}
