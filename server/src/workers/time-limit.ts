import vm from 'node:vm'

/** Thrown if work was stopped because it took too long. */
export class TimeLimitError extends Error {
  constructor(ms: number) {
    super(`It took longer than ${ms} ms.`)
    this.name = 'TimeLimitError'
  }
}

const TASK = Symbol.for('bashgym: task under a time limit')
const global = globalThis as { [TASK]?: () => unknown }
// A fixed script, because only `vm` can stop code that loops, including regular expressions.
Object.defineProperty(globalThis, 'bashgymTimeLimit', { value: () => global[TASK]!(), configurable: true }) // a thread may load this module twice, from source and build
const script = new vm.Script('bashgymTimeLimit()')

/**
 * Returns the result of `task`, or throws `TimeLimitError` after `ms`. A stopped task does not run its `finally` blocks,
 * so it must not open anything. A call costs a quarter of a millisecond.
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
