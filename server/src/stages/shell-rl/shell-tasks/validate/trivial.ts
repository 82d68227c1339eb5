import type { ShellTaskBody, ShellVerdict } from '#contracts/entities/shell-task.ts'
import { quoted } from '#server/adapters/tools/shell-words.ts'
import { comparedBy } from './compared.ts'
import { type Outcome, type TaskSandbox, PRUNED } from './task-sandbox.ts'

/** An action that needs no understanding of the task. */
export interface TrivialAction {
  path: string
  what: string
  command: string
}

const MAX_PATHS = 10
const MAX_WORDS = 24
/** Time limit of all actions together. */
const TRIES_SECONDS = 120
/** A path with larger content is tried in its own sandbox. */
const MAX_SAVED_BYTES = 8_000_000

/** A machine needs these folders to run. */
const SYSTEM_FOLDER = /^\/(?:(?:bin|sbin|lib\w*|usr|proc|sys|dev|etc)(?:\/[^/]*)?)?$/

export function trivialActions({ task, check }: Pick<ShellTaskBody, 'task' | 'check'>): TrivialAction[] {
  const words = [...new Set(comparedBy(check).words)]
    .filter((word) => /[A-Za-z0-9]/.test(word) && !/^-{1,2}[A-Za-z]/.test(word) && word.length <= 500)
    .slice(0, MAX_WORDS)
  return pathsIn(task).flatMap((path) => {
    const at = quoted(path)
    return [
      { path, what: `touch ${path}`, command: `touch -- ${at}` },
      { path, what: `mkdir ${path}`, command: `mkdir -- ${at}` },
      { path, what: `an empty file at ${path}`, command: `: > ${at}` },
      { path, what: `${path} deleted`, command: `rm -r -- ${at}` },
      { path, what: `chmod 777 ${path}`, command: `chmod 777 -- ${at}` },
      ...words.map((word) => ({
        path,
        what: `${JSON.stringify(word)} written to ${path}`,
        command: `printf '%s\\n' ${quoted(word)} > ${at}`,
      })),
    ]
  })
}

/** Paths that the text of a task mentions. */
export function pathsIn(task: string): string[] {
  const named = [...task.matchAll(/(?<![\w.~/-])(?:~\/|\/)[^\s"'`(),;*?<>|[\]{}]+/g)].map(([path]) =>
    path.replace(/^~/, '/root').replace(/[.:!/]+$/, ''),
  )
  return [...new Set(named)].filter((path) => !SYSTEM_FOLDER.test(path)).slice(0, MAX_PATHS)
}

/** Tries each action from the same state: the content of its path is kept in memory and restored. Prints `number code` for each action that succeeded. */
const DRIVER = String.raw`
save() {
  saved= was=gone
  if [ -e "$1" ] || [ -L "$1" ]; then
    was=there
    saved=$(tar --create --format=posix --absolute-names --file=- -- "$1" 2>/dev/null | base64 -w0)
  fi
}
restore() {
  rm -rf -- "$1"
  if [ "$was" = there ]; then printf %s "$saved" | base64 -d | tar --extract --preserve-permissions --absolute-names --file=-; fi
}
state() {
  {
    find / -xdev ${PRUNED} -o -type d -printf 'd %m %U:%G %p\n' -o -printf '%y %m %U:%G %s %T@ %l %p\n' | LC_ALL=C sort
    find "\${paths[@]}" -type f -exec cksum {} +
  } 2>/dev/null | cksum
}
before=$(state)
number=0
for path in "\${paths[@]}"; do
  save "$path"
  if [ "\${#saved}" -gt ${MAX_SAVED_BYTES} ]; then printf 'large %s\n' "$number"; number=$((number + each)); continue; fi
  for ((end = number + each; number < end; number++)); do
    if (eval "\${actions[number]}") </dev/null >/dev/null 2>&1; then
      timeout -k 1 "$limit" bash -c "$check" </dev/null >/dev/null 2>&1
      printf '%s %s\n' "$number" "$?"
    fi
    restore "$path"
  done
done
[ "$(state)" = "$before" ] && echo restored`.replaceAll(String.raw`\${`, '${')

const TIMED_OUT = 124

/** Which actions made the check pass; null if this sandbox could not find out, so that each action needs its own sandbox. */
export async function tryAll(
  sandbox: TaskSandbox,
  task: Pick<ShellTaskBody, 'check'>,
  { actions, limitSec }: { actions: readonly TrivialAction[]; limitSec: number },
): Promise<{ passed: TrivialAction[]; neither: TrivialAction[] } | null> {
  const paths = [...new Set(actions.map(({ path }) => path))]
  const script = [
    `check=${quoted(task.check)}`,
    `limit=${limitSec}`,
    `each=${actions.length / paths.length}`,
    `paths=(${paths.map(quoted).join(' ')})`,
    `actions=(${actions.map(({ command }) => quoted(command)).join('\n')})`,
    DRIVER,
  ].join('\n')
  const result = await sandbox.run(script, { note: 'Trivial actions.', timeoutSec: TRIES_SECONDS })
  const lines = result.output.trim().split('\n')
  if (lines.at(-1) !== 'restored' || lines.some((line) => line.startsWith('large'))) return null
  const codes = lines.flatMap((line) => {
    const [, number, code] = /^(\d+) (\d+)$/.exec(line) ?? []
    return number === undefined ? [] : [{ action: actions[Number(number)]!, code: Number(code) }]
  })
  return {
    passed: codes.filter(({ code }) => code === 0).map(({ action }) => action),
    neither: codes.filter(({ code }) => code === TIMED_OUT || code === 137).map(({ action }) => action),
  }
}

export interface ActionResult {
  action: TrivialAction
  outcome: Outcome
  evidence: ShellVerdict['evidence'][number]
}

/** Tries one action alone in a sandbox that has been set up. */
export async function tryOne(
  sandbox: TaskSandbox,
  task: Pick<ShellTaskBody, 'check'>,
  action: TrivialAction,
): Promise<ActionResult | null> {
  const actionRun = await sandbox.run(action.command, { note: '' })
  if (actionRun.outcome !== 'passed') return null
  const { outcome, evidence } = await sandbox.check(task, `The check after nothing but this: ${action.what}.`)
  return { action, outcome, evidence }
}
