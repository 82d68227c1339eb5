import { options, readCommand, skipOptions, unwrap, withoutFolder } from '#server/stages/scoring/index.ts'
import type { GitRole } from './types.ts'

/** Options of `git` itself that take the next word. */
const GIT = options('-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env')
const AFTER: ReadonlySet<string> = new Set(['push', 'tag', 'status', 'log'])
/** Commands that may stand beside them without being work of their own. */
const BESIDE: ReadonlySet<string> = new Set(['cd', 'echo', 'true', 'cat', 'head', 'tail', 'wc'])
/** What git prints of a commit: `[main 1a2b3c4] …`, `[main (root-commit) 1a2b3c4] …`. */
const COMMITTED = /^\[[^\]\n]*?\b[0-9a-f]{7,40}\]/m
const MOST_WRAPPERS = 5

/**
 * What a shell command that ended well has to do with git. A commit counts when the exit status speaks for it, or when
 * the output names it.
 */
export function gitRole(command: string | null, success: boolean | null, output: string | null): GitRole | null {
  if (command === null || success !== true || !command.includes('git')) return null
  const { commands } = readCommand(command)
  const verbs = commands.map(({ words, decisive }) => ({ verb: gitVerb(words), name: withoutFolder(words[0] ?? ''), decisive }))
  if (verbs.some(({ verb, decisive }) => verb === 'commit' && (decisive || COMMITTED.test(output ?? '')))) return 'commit'
  const isAfter =
    verbs.some(({ verb }) => verb !== null) && verbs.every(({ verb, name }) => (verb === null ? BESIDE.has(name) : AFTER.has(verb)))
  return isAfter ? 'after' : null
}

/** `commit`, `push` …; null when the words run no git, or one that only pretends. */
function gitVerb(words: readonly string[]): string | null {
  let inner: readonly string[] | null = words
  for (let left = MOST_WRAPPERS; inner !== null && withoutFolder(inner[0] ?? '') !== 'git'; left--) {
    inner = left > 0 && inner.length > 0 ? unwrap(inner) : null
  }
  if (inner === null) return null
  const at = skipOptions(inner, 1, GIT)
  const verb = inner[at] ?? null
  return verb === 'commit' && inner.slice(at + 1).some((word) => word === '--dry-run' || word === '--help' || word === '-h') ? null : verb
}
