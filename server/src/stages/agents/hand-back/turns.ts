/** Runs operations on the same folder one after another. */
export function createTurns() {
  const last = new Map<string, Promise<unknown>>()
  return async function inTurn<T>(root: string, operation: () => Promise<T>): Promise<T> {
    const previous = last.get(root)
    const current = (async () => {
      await previous?.catch(() => {}) // its own caller handles the failure
      return operation()
    })()
    last.set(root, current)
    try {
      return await current
    } finally {
      if (last.get(root) === current) last.delete(root)
    }
  }
}

export type InTurn = ReturnType<typeof createTurns>
