import type { ShellTaskBody } from '#contracts/entities/shell-task.ts'

export type Seed = Pick<ShellTaskBody, 'task' | 'setup' | 'check'>

/** The maximum length of an answer. */
export const ANSWER_TOKENS = 3000

const LEVELS: Readonly<Record<number, string>> = {
  1: 'one simple command',
  2: 'a pipe or redirection of two or three commands',
  3: 'two to four commands, where the output of one tells what the next has to be',
  4: 'text work of several steps',
}

export const SYSTEM = `You write tasks for somebody who works at a bash shell of a plain Debian machine, as root and without a network. \
There are bash, coreutils, findutils, grep, sed, awk (mawk), tar, gzip and diffutils, and nothing else. \
A program solves each task and another one checks it, so every word of a task must be exact.`

/** Asks for a new task in three steps, with two example tasks of the same difficulty. */
export function promptOf([first, second]: readonly [Seed, Seed], difficulty: number): string {
  return `Here are two tasks of difficulty ${difficulty} of 4 (${LEVELS[difficulty]}).

# Task A
${taskText(first)}

# Task B
${taskText(second)}

Write a new task of the same difficulty in three steps.

# Step 1: what they have in common
Say in two or three sentences what the two ask for, how they set things up, and how their checks tell that they are solved.

# Step 2: a plan
Plan a task with another subject, other tools and other paths than both. What is there at the start, what has to be there in the end, and how does the check tell? \
The check must fail where nothing was done, also where a file is merely created, emptied, deleted or given all permissions; \
it works the right answer out by itself instead of holding it; it changes no file. The set-up holds no answer, gives the same in each run and needs no network.

# Step 3: the task
Write it under exactly these three headings, with nothing behind it:

## Description
What to achieve, with absolute paths. It never names the commands to use.

## Set-up commands
\`\`\`bash
one command a line
\`\`\`

## Success condition
\`\`\`bash
one command, which exits with 0 only where the task is solved
\`\`\``
}

const taskText = ({ task, setup, check }: Seed): string =>
  `## Description\n${task}\n\n## Set-up commands\n\`\`\`bash\n${setup.join('\n')}\n\`\`\`\n\n## Success condition\n\`\`\`bash\n${check}\n\`\`\``

/** Pairs move through the shuffled seeds: 1 and 2, 2 and 3, … The number `seed` determines the order. */
export function pairAt(seeds: readonly Seed[], nth: number, seed: number): [Seed, Seed] {
  const order = shuffled(seeds.length, seed)
  return [seeds[order[nth % order.length]!]!, seeds[order[(nth + 1) % order.length]!]!]
}

function shuffled(count: number, seed: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index)
  let state = (seed % 2_147_483_646) + 1
  for (let last = count - 1; last > 0; last -= 1) {
    state = (state * 48_271) % 2_147_483_647 // Park and Miller
    const other = state % (last + 1)
    ;[order[last], order[other]] = [order[other]!, order[last]!]
  }
  return order
}
