import fs from 'node:fs'
import path from 'node:path'
import type { Client } from '#contracts/derive/client.ts'
import type { BenchmarkRun } from '#contracts/entities/benchmark.ts'
import type { Routes } from '#contracts/routes/index.ts'
import type { Received } from '#server/adapters/llm/testing-stub.ts'

export const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** Functions of two numbers, each with the body that is right. */
const FUNCTIONS = { add: 'return a + b', larger: 'return max(a, b)', power: 'return a ** b' }
const RESULTS: Readonly<Record<keyof typeof FUNCTIONS, number>> = { add: 8, larger: 5, power: 243 }

/** Words of no other problem, so that only one shares them with training data. */
const words = (name: string) => Array.from({ length: 14 }, (_, no) => `${name}${no}`).join(' ')

export const PROBLEMS = Object.entries(FUNCTIONS).map(([name, body], index) => ({
  task_id: `HumanEval/${index}`,
  prompt: `from typing import Optional\n\n\ndef ${name}(a: int, b: int) -> Optional[int]:\n    """The result of ${name}. ${words(name)}\n    """\n`,
  entry_point: name,
  canonical_solution: `    ${body}\n`,
  test: `\n\nMETADATA = {}\n\n\ndef check(candidate):\n    assert candidate(3, 5) == ${RESULTS[name as keyof typeof FUNCTIONS]}\n`,
}))

export const TASKS = Object.entries(FUNCTIONS).map(([name, body], index) => ({
  task_id: 11 + index,
  text: `Write a function ${name}.`,
  code: `def ${name}(a, b):\r\n  ${body}`,
  test_list: [`assert ${name}(3, 5) == ${RESULTS[name as keyof typeof FUNCTIONS]}`],
  test_setup_code: '',
  challenge_test_list: [],
}))

export const SUMS = Array.from({ length: 20 }, (_, no) => ({
  question: `Ann has ${no} eggs and gets 3. How many?`,
  answer: `${no}+3\n#### ${no + 3}`,
}))

/** A folder with made items of three benchmarks. */
export function writeSets(folder: string): string {
  for (const [name, rows] of [
    ['HumanEval.jsonl', PROBLEMS],
    ['mbpp.jsonl', TASKS],
    ['gsm8k.jsonl', SUMS],
  ] as const)
    fs.writeFileSync(path.join(folder, name), lines(rows))
  return folder
}

export const promptOf = ({ body }: Pick<Received, 'body'>): string => body.messages.at(-1)!.content

/** The set's own answer to a request. */
export function canonical(request: Pick<Received, 'body'>): string {
  const prompt = promptOf(request)
  const problem = PROBLEMS.find(({ entry_point: name }) => prompt.includes(`def ${name}(`))
  if (problem) return `Here it is:\n\`\`\`python\n${problem.prompt}${problem.canonical_solution}\`\`\``
  const task = TASKS.find(({ text }) => prompt.includes(text))
  if (task) return `\`\`\`\n${task.code}\n\`\`\``
  return `The final answer is ${Number(/has (\d+)/.exec(prompt)![1]) + 3}`
}

/** Waits until a run no longer goes on. */
export async function ended(client: Client<Routes>, { id }: Pick<BenchmarkRun, 'id'>) {
  for (let known = 0; ;) {
    const run = await client.getBenchmarkRun({ params: { id }, query: { waitMs: '10000', ended: String(known) } })
    if (run.state !== 'running') return run
    known = run.total - run.owed + run.counts.error
  }
}
