import { forEachChild, type Function as FunctionNode, type SyntaxNode } from 'unbash'

interface Calls {
  count: number
  /** Whether one is in the background or in a pipeline. */
  isDetached: boolean
}

const known = new WeakMap<SyntaxNode, ReadonlyMap<string, Calls>>()

/** The commands of a function's body by name. */
export function callsIn(body: SyntaxNode): ReadonlyMap<string, Calls> {
  const before = known.get(body)
  if (before) return before
  const calls = new Map<string, Calls>()
  const count = (node: SyntaxNode, isDetached: boolean): void => {
    const name = node.type === 'Command' ? node.name?.value : undefined
    if (name !== undefined) {
      const { count: times = 0, isDetached: wasDetached = false } = calls.get(name) ?? {}
      calls.set(name, { count: times + 1, isDetached: wasDetached || isDetached })
    }
    const detaches = (node.type === 'Statement' && node.background === true) || (node.type === 'Pipeline' && node.commands.length > 1)
    forEachChild(node, (child) => count(child, isDetached || detaches))
  }
  count(body, false)
  known.set(body, calls)
  return calls
}

/** A function that starts itself at least twice, directly or through one that calls it back, and does not wait for it. */
export function isBomb({ name, body }: FunctionNode, callsBack: (name: string) => boolean): boolean {
  const again = [...callsIn(body)].filter(([called]) => called === name.value || callsBack(called)).map(([, calls]) => calls)
  return again.reduce((sum, { count }) => sum + count, 0) >= 2 && again.some(({ isDetached }) => isDetached)
}
