import { isTestCommand } from '#server/stages/scoring/index.ts'
import type { FoundCheck } from '#contracts/entities/check.ts'
import type { ProjectFacts } from './facts.ts'
import { runnerOf } from './runners.ts'

const CI_FILE = /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.ya?ml|\.travis\.ya?ml|\.circleci\/config\.ya?ml)$/
const MOST = 20
const KEY = /^(\s*)(?:-\s+)?(?:run|script|command):\s*(.*)$/
const BLOCK = /^[|>][+\-\d]*\s*(?:#.*)?$/
const ITEM = /^\s*-\s+(.*)$/
/** Expressions of the service, which say nothing here. */
const FOREIGN = /\$\{\{|<<|\$CI_|\$TRAVIS/

/** Test commands from files of continuous integration services, as they are written there. */
export function ciChecks({ files, read }: ProjectFacts): FoundCheck[] {
  const found = new Map<string, FoundCheck>()
  for (const because of files.filter((name) => CI_FILE.test(name)))
    for (const command of commandsIn(read(because) ?? ''))
      if (!FOREIGN.test(command) && !found.has(command) && isTestCommand(command))
        found.set(command, { runner: runnerOf(command), command, because })
  return [...found.values()].slice(0, MOST)
}

/** Shell lines of steps, from the few forms in which these files write them. */
export function commandsIn(text: string): string[] {
  const lines = text.split(/\r?\n/)
  const commands: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent, value] = KEY.exec(lines[at]!) ?? []
    if (indent === undefined || value === undefined) continue
    if (value !== '' && !BLOCK.test(value)) commands.push(plain(value))
    else {
      const below = deeper(lines, at, indent.length, value === '')
      commands.push(...(value === '' ? below.flatMap((line) => ITEM.exec(line)?.[1] ?? []).map(plain) : joined(below)))
    }
  }
  return commands.filter((command) => command !== '')
}

/** The lines of a block; items of a list may be indented as deep as their key. */
function deeper(lines: readonly string[], at: number, indent: number, isList: boolean): string[] {
  const below: string[] = []
  for (const line of lines.slice(at + 1)) {
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    if (depth < indent || (depth === indent && !(isList && ITEM.test(line)))) break
    below.push(line)
  }
  return below
}

const joined = (lines: readonly string[]): string[] =>
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
