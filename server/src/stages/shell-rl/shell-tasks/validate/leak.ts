import type { ShellTaskBody, ShellVerdict } from '#contracts/entities/shell-task.ts'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import { comparedBy } from './compared.ts'
import { type TaskSandbox, PRUNED, type SetUp } from './task-sandbox.ts'

/** How many seconds file times may lag behind the clock. */
const CLOCK_LAG_SEC = 0.05
const MAX_SHOWN = 5
/** Larger files are not read. */
const MAX_FILE_SIZE = '16M'

const SCAN = String.raw`
export LC_ALL=C
find / -xdev ${PRUNED} -o -type f -size -${MAX_FILE_SIZE} -newerct "@$since" -print0 |
while IFS= read -r -d '' file; do
  mapfile -d '' parts 2>/dev/null < "$file" || continue
  number=0
  for needle in "\${needles[@]}"; do
    for part in "\${parts[@]}"; do
      if [[ $part == *"$needle"* ]]; then printf '%s %s\n' "$number" "$file"; break; fi
    done
    number=$((number + 1))
  done
done
for file in "\${files[@]}"; do find "$file" -maxdepth 0 -type f -newerct "@$since" -printf 'file %p\n' 2>/dev/null; done
true`.replaceAll(String.raw`\${`, '${')

/** The current time of the sandbox's clock, in seconds. Call before the set-up. */
export async function clockOf(sandbox: TaskSandbox): Promise<number> {
  const { output } = await sandbox.run('date +%s.%N', { note: '' })
  const seconds = Number(output.trim())
  return Number.isFinite(seconds) ? seconds - CLOCK_LAG_SEC : 0
}

/** Whether the set-up reveals the check, or the texts and files that the check compares with. */
export async function findLeak(
  sandbox: TaskSandbox,
  task: Pick<ShellTaskBody, 'task' | 'check'>,
  { since, output }: { since: number } & Pick<SetUp, 'output'>,
): Promise<ShellVerdict> {
  const { texts, files } = comparedBy(task.check)
  const needles = [{ text: task.check.trim(), from: [] as string[], what: 'the check' }, ...texts.map((one) => ({ ...one, what: 'the expected text' }))] // prettier-ignore
  const hidden = files.filter((file) => !isMentioned(file, task.task))
  const scan = `since=${since.toFixed(3)}\nneedles=(${needles.map(({ text }) => quoted(text)).join(' ')})\nfiles=(${hidden.map(quoted).join(' ')})\n${SCAN}`
  const result = await sandbox.run(scan, { note: 'Searched the files of the set-up.' })
  const printed = needles.filter(({ text }) => output.includes(text)).map(({ text, what }) => `The set-up prints ${what}: ${short(text)}`)
  const leftInFiles = result.output.split('\n').flatMap((line) => {
    const [, number, file] = /^(\d+|file) (.*)$/.exec(line) ?? []
    if (number === undefined || file === undefined) return []
    if (number === 'file') return [`The set-up leaves ${file}, which the check compares with and the task does not mention.`]
    const { text, from, what } = needles[Number(number)]!
    return from.includes(file) ? [] : [`The set-up leaves the file ${file}, which contains ${what}: ${short(text)}`]
  })
  const notes = [...printed, ...leftInFiles]
  const isKnown = result.outcome === 'passed' && !result.truncated
  const verdict = notes.length > 0 ? 'fail' : isKnown ? 'pass' : 'unknown'
  const messages =
    notes.length > 0
      ? notes.slice(0, MAX_SHOWN)
      : [
          isKnown
            ? `Neither the output nor the files of the set-up contain ${needles.map(({ text }) => short(text)).join(' or ')}.`
            : 'The files of the set-up could not be searched.',
        ]
  const evidence = messages.map((note) => ({ note, command: null, exitCode: result.evidence.exitCode, timedOut: result.evidence.timedOut, outputTail: '', ms: result.evidence.ms })) // prettier-ignore
  return { name: 'no_leak', verdict, evidence }
}

/** Whether the task mentions the file or a folder above it. */
const isMentioned = (file: string, task: string): boolean => {
  const parts = file.split('/').slice(1)
  const folders = parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`).slice(1) // a top folder is too general
  return folders.some((folder) => new RegExp(`${escaped(folder)}(?![\\w-])`).test(task)) || task.includes(parts.at(-1)!)
}

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
const short = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
