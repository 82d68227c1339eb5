import { lookup } from '#contracts/lookup.ts'
import type { Command, SyntaxNode } from 'unbash'
import { forEachChild, parse } from 'unbash'
import type { ShellDiversity } from '#contracts/entities/shell-generation.ts'
import type { ShellTaskBody } from '#contracts/entities/shell-task.ts'
import { createNearIndex } from '../near.ts'
import { pathsIn } from '../validate/trivial.ts'

type Task = Pick<ShellTaskBody, 'task' | 'check' | 'difficulty' | 'referenceSolution'> & { id: string; isHeldOut: boolean }

/** The purpose of a command in a check. */
const CHECK_PURPOSES = lookup({
  cmp: 'compares content',
  diff: 'compares content',
  comm: 'compares content',
  grep: 'looks for text',
  stat: 'reads permissions, sizes or times',
  readlink: 'follows a link',
  tar: 'looks into an archive',
  gzip: 'looks into an archive',
  zcat: 'looks into an archive',
  find: 'looks through folders',
  ls: 'looks through folders',
  wc: 'counts',
  awk: 'computes a value',
  sha256sum: 'compares checksums',
  md5sum: 'compares checksums',
  cksum: 'compares checksums',
})

/** Counts the features of tasks, and how many tasks nearly repeat another one. */
export function diversityOf(tasks: readonly Task[]): ShellDiversity {
  const [difficulty, tool, pathRoot, check] = [
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
    new Map<string, number>(),
  ]
  const index = createNearIndex(
    [],
    tasks.map(({ task }) => task),
  )
  let near = 0
  for (const task of tasks) {
    count(difficulty, [String(task.difficulty ?? 'none')])
    count(tool, commandsOf(task.referenceSolution ?? task.check))
    count(
      pathRoot,
      pathsIn(task.task).map((path) => `/${path.split('/')[1]}`),
    )
    count(
      check,
      commandsOf(task.check).map((name) => CHECK_PURPOSES[name] ?? 'tests a state'),
    )
    if (index.near(task.task).length > 0) near += 1
    index.add(task)
  }
  return {
    tasks: tasks.length,
    difficulty: sorted(difficulty),
    tool: sorted(tool),
    pathRoot: sorted(pathRoot),
    check: sorted(check),
    near,
    nearRate: tasks.length === 0 ? null : near / tasks.length,
  }
}

function count(into: Map<string, number>, keys: readonly string[]): void {
  for (const key of new Set(keys)) into.set(key, (into.get(key) ?? 0) + 1)
}

const sorted = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)))

/** Names of the commands that a text runs, without their folders. */
export function commandsOf(text: string): string[] {
  const names: string[] = []
  const add = ({ name }: Command) => {
    const word = name?.value.replace(/^.*\//, '')
    if (word !== undefined && /^[\w.[-]+$/.test(word)) names.push(word)
  }
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'Command') add(node)
    if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && node.script) visit(node.script)
    else forEachChild(node, visit)
  }
  try {
    visit(parse(text))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // nested too deeply to parse: the names found so far count
  }
  return names
}
