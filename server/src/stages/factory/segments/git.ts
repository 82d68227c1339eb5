import { options, skipOptions, withoutFolder } from '#server/shell/options.ts'
import { readCommand } from '#server/stages/scoring/index.ts'
import type { GitRole } from './types.ts'

/** Options of `git` itself that take the next word. */
const GIT = options('-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env')
const AFTER: ReadonlySet<string> = new Set(['push', 'tag', 'status', 'log'])
/** Commands beside them that are no work of their own. */
const BESIDE: ReadonlySet<string> = new Set(['cd', 'echo', 'true', 'cat', 'head', 'tail', 'wc'])
/** What git prints of a commit: `[main 1a2b3c4] …`, `[main (root-commit) 1a2b3c4] …`. */
const COMMITTED = /^\[[^\]\n]*?\b[0-9a-f]{7,40}\]/m

/**
 * What a shell command that ended well has to do with git. A commit counts when the exit status speaks for it, or when
 * the output names it.
 */
export function gitRole(command: string | null, success: boolean | null, output: string | null): GitRole | null {
  if (command === null || success !== true || !command.includes('git')) return null
  const { commands } = readCommand(command)
  const verbs = commands.map(({ words, bare, status }) => ({
    verb: gitVerb(bare.words),
    name: withoutFolder(words[0] ?? ''),
    decisive: status?.by === 'exit',
  }))
  if (verbs.some(({ verb, decisive }) => verb === 'commit' && (decisive || COMMITTED.test(output ?? '')))) return 'commit'
  const isAfter =
    verbs.some(({ verb }) => verb !== null) && verbs.every(({ verb, name }) => (verb === null ? BESIDE.has(name) : AFTER.has(verb)))
  return isAfter ? 'after' : null
}

/** `commit`, `push` …; null when the words run no git, or one that only pretends. */
function gitVerb(words: readonly string[]): string | null {
  if (withoutFolder(words[0] ?? '') !== 'git') return null
  const at = skipOptions(words, 1, GIT)
  const verb = words[at] ?? null
  return verb === 'commit' && words.slice(at + 1).some((word) => word === '--dry-run' || word === '--help' || word === '-h') ? null : verb
}
