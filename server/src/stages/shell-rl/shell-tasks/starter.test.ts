import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ShellTaskBody } from '#contracts/entities/shell-task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { soaking } from '#server/testing/soak.ts'
import { useServer } from '#server/testing/use.ts'
import { commandsOf, diversityOf } from './generate/diversity.ts'
import { readShipped } from './shipped.ts'
import { sandboxesOf } from './validate/testing-sandboxes.ts'
import { validateTask } from './validate/validate.ts'

const all = readShipped(path.join(import.meta.dirname, '../../../../../samples/shell-tasks/starter.jsonl'))!.tasks()
const starter = all.filter(({ split }) => split === 'starter')
/** Every ninth task, or every 27th: some of each difficulty, and never two of a family. */
const sample = starter.filter((_, index) => index % soaking(27, 9) === 4)
/** The words of a text except paths; command names that are also everyday words are therefore compared only with the solution. */
const namesIn = (text: string) =>
  new Set(
    text
      .replaceAll(/\/[\w./-]+/g, ' ')
      .toLowerCase()
      .match(/[a-z0-9]+/g),
  )

describe('the starter set', () => {
  it('has at least fifty tasks of each difficulty, each with a solution and a check', () => {
    expect(starter.length).toBeGreaterThanOrEqual(200)
    for (const level of [1, 2, 3, 4]) expect(starter.filter(({ difficulty }) => difficulty === level).length).toBeGreaterThanOrEqual(50)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(all.filter(({ referenceSolution, check }) => !referenceSolution || !check)).toEqual([])
  })

  it('has no two tasks that are nearly the same, and uses many tools and folders', () => {
    const { near, tool, pathRoot } = diversityOf(starter)
    expect(near).toBe(0)
    expect(diversityOf(all).near).toBe(0)
    expect(Object.keys(tool).length).toBeGreaterThan(30)
    expect(Object.keys(pathRoot).length).toBeGreaterThan(4)
  })

  it('never mentions the commands that solve a task', () => {
    const named = starter.map(({ id, task, referenceSolution }) => [
      id,
      commandsOf(referenceSolution!).filter((name) => namesIn(task).has(name)),
    ])
    expect(named.filter(([, names]) => names!.length > 0)).toEqual([])
  })

  it('has a family for small models whose training and held-out tasks use the same parts of names', () => {
    const of = (split: string) => all.filter((task) => task.split === split)
    const [toy, heldOut] = [of('toy'), of('toy-heldout')]
    expect([toy.length, heldOut.length, heldOut.every(({ isHeldOut }) => isHeldOut)]).toEqual([64, 32, true])
    const parts = (tasks: ShellTaskBody[]) =>
      new Set(tasks.flatMap(({ referenceSolution }) => /^touch ([a-z])(\d+)$/.exec(referenceSolution!)!.slice(1)))
    expect(parts(toy)).toEqual(parts(heldOut))
  })
})

describe.skipIf(findBubblewrap() === null)('tasks of the starter set', () => {
  const server = useServer(() => ({ sandboxes: { running: 4, queue: 100 } }))

  it.concurrent.each(sample.map((task) => [task.id, task] as const))(
    '%s is valid by all six verdicts',
    { timeout: 60_000 },
    async (_, task) => {
      const { verdicts } = await validateTask(task, { sandboxes: sandboxesOf(server), now: Date.now }, new AbortController().signal)
      expect(verdicts.filter(({ verdict }) => verdict !== 'pass')).toEqual([])
      expect(verdicts).toHaveLength(6)
    },
  )
})
