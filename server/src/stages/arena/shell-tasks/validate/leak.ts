import type { ShellTaskBody, ShellVerdict } from '#contracts/entities/shell-task.ts'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import { comparedBy } from './compared.ts'
import { type Place, PRUNED, type SetUp } from './place.ts'

/** Seconds by which the clock of files may lag behind. */
const LAG = 0.05
const MAX_SHOWN = 5
/** Larger files are not read. */
const LARGEST = '16M'

const SCAN = String.raw`
export LC_ALL=C
find / -xdev ${PRUNED} -o -type f -size -${LARGEST} -newerct "@$since" -print0 |
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

/** The moment before the set-up, by the clock of the sandbox. */
export async function momentIn(place: Place): Promise<number> {
  const { output } = await place.run('date +%s.%N', { note: '' })
  const seconds = Number(output.trim())
  return Number.isFinite(seconds) ? seconds - LAG : 0
}

/** Whether the set-up gives away the check, or what the check compares with. */
export async function findLeak(
  place: Place,
  task: Pick<ShellTaskBody, 'task' | 'check'>,
  { since, output }: { since: number } & Pick<SetUp, 'output'>,
): Promise<ShellVerdict> {
  const { texts, files } = comparedBy(task.check)
  const needles = [{ text: task.check.trim(), from: [] as string[], what: 'the check' }, ...texts.map((one) => ({ ...one, what: 'the expected text' }))] // prettier-ignore
  const hidden = files.filter((file) => !isNamed(file, task.task))
  const scan = `since=${since.toFixed(3)}\nneedles=(${needles.map(({ text }) => quoted(text)).join(' ')})\nfiles=(${hidden.map(quoted).join(' ')})\n${SCAN}`
  const ran = await place.run(scan, { note: 'What the set-up left.' })
  const printed = needles.filter(({ text }) => output.includes(text)).map(({ text, what }) => `The set-up prints ${what}: ${short(text)}`)
  const left = ran.output.split('\n').flatMap((line) => {
    const [, number, file] = /^(\d+|file) (.*)$/.exec(line) ?? []
    if (number === undefined || file === undefined) return []
    if (number === 'file') return [`The set-up leaves ${file}, with which the check compares and which the task does not name.`]
    const { text, from, what } = needles[Number(number)]!
    return from.includes(file) ? [] : [`The file ${file} that the set-up leaves has ${what}: ${short(text)}`]
  })
  const notes = [...printed, ...left]
  const isKnown = ran.outcome === 'passed' && !ran.truncated
  const verdict = notes.length > 0 ? 'fail' : isKnown ? 'pass' : 'unknown'
  const shown =
    notes.length > 0
      ? notes.slice(0, MAX_SHOWN)
      : [
          isKnown
            ? `Neither what the set-up prints nor the files that it leaves have ${needles.map(({ text }) => short(text)).join(' or ')}.`
            : 'The files of the set-up could not be searched.',
        ]
  const evidence = shown.map((note) => ({ note, command: null, exitCode: ran.evidence.exitCode, timedOut: ran.evidence.timedOut, outputTail: '', ms: ran.evidence.ms })) // prettier-ignore
  return { name: 'no_leak', verdict, evidence }
}

/** The task names the file or a folder above it, so it is not hidden. */
const isNamed = (file: string, task: string): boolean => {
  const parts = file.split('/').slice(1)
  const folders = parts.map((_, at) => `/${parts.slice(0, at + 1).join('/')}`).slice(1) // a top folder is too general
  return folders.some((folder) => new RegExp(`${escaped(folder)}(?![\\w-])`).test(task)) || task.includes(parts.at(-1)!)
}

const escaped = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
const short = (text: string) => JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
