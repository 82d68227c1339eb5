import { isTestCommand } from '#server/stages/scoring/index.ts'
import type { FoundCheck } from '#contracts/entities/check.ts'
import type { ProjectFacts } from './facts.ts'
import { runnerOf } from './runners.ts'

const CI_FILE = /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.circleci\/config\.ya?ml)$/
const MAX_CHECKS = 20
const MAX_FILES = 100
const KEY = /^(\s*)(?:-\s+)?(?:run|script|command):\s*(.*)$/
const BLOCK = /^[|>][+\-\d]*\s*(?:#.*)?$/
const ITEM = /^\s*-\s+(.*)$/
/** Expressions that only the service can evaluate. */
const FOREIGN = /\$\{\{|<<|\$CI_|\$TRAVIS/

/** Finds test commands in the files of continuous integration services, and scripts of the project that they run as tests. */
export async function ciChecks(facts: ProjectFacts): Promise<Omit<FoundCheck, 'folder' | 'reason'>[]> {
  const { files, read } = facts
  const found = new Map<string, Omit<FoundCheck, 'folder' | 'reason'>>()
  for (const because of files.filter((name) => CI_FILE.test(name)).slice(0, MAX_FILES))
    for (const command of commandsIn((await read(because)) ?? ''))
      if (!FOREIGN.test(command) && !found.has(command) && (isTestCommand(command) || (await runsTests(command, facts))))
        found.set(command, { runner: runnerOf(command), command, because })
  return [...found.values()].slice(0, MAX_CHECKS)
}

const SCRIPT = /^(?:(?:bash|sh|dash|zsh|ksh)(?:\s+-[a-z]+)*\s+)?(?:\.\/)?([\w@./-]+)(?=\s|$)/
const CHECK_SCRIPT = /(?:^|[_-])(?:run-?)?(?:tests?|checks?|verify|specs?)(?:[._-]|$)/i

/** Whether a command is a shell script of the project that tests: by its name, or by a test command in it. */
async function runsTests(command: string, { files, read }: ProjectFacts): Promise<boolean> {
  const name = SCRIPT.exec(command)?.[1]
  if (name === undefined || !files.includes(name)) return false
  const text = (await read(name)) ?? ''
  if (!/\.(?:sh|bash)$/.test(name) && !/^#!.*sh\b/.test(text)) return false
  return CHECK_SCRIPT.test(name.slice(name.lastIndexOf('/') + 1)) || text.split('\n').some((line) => isTestCommand(line.trim()))
}

/** The shell lines of steps, in the few forms that these files use. */
export function commandsIn(text: string): string[] {
  const lines = text.split(/\r?\n/)
  const commands: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, value] = KEY.exec(lines[at]!) ?? []
    if (indent === undefined || value === undefined) continue
    if (value !== '' && !BLOCK.test(value)) commands.push(plain(value))
    else {
      const below = blockLines(lines, at, indent.length, value === '')
      commands.push(...(value === '' ? below.flatMap((line) => ITEM.exec(line)?.[1] ?? []).map(plain) : joinContinuations(below)))
    }
  }
  return commands.filter((command) => command !== '')
}

/** The lines of a block. List items may have the same indentation as their key. */
function blockLines(lines: readonly string[], at: number, indent: number, isList: boolean): string[] {
  const below: string[] = []
  for (const line of lines.slice(at + 1)) {
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    if (depth < indent || (depth === indent && !(isList && ITEM.test(line)))) break
    below.push(line)
  }
  return below
}

const joinContinuations = (lines: readonly string[]): string[] =>
  lines
    .map((line) => line.trim())
    .join('\n')
    .replaceAll(/\\\n/g, '')
    .split('\n')

function plain(value: string): string {
  const text = value.trim()
  const quoted = /^(['"])(.*?)\1(?:\s+#.*)?$/.exec(text)
  return quoted ? quoted[2]! : text.replace(/\s#.*$/, '').trimEnd()
}
