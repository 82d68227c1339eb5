import { options, skipOptions, withoutFolder } from '#server/shell/options.ts'
import { readCommand } from '#server/stages/scoring/index.ts'
import type { GitRole } from './types.ts'

/** Global options of `git` with a separate value. */
const GIT_OPTIONS = options('-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env')
const AFTER_COMMIT: ReadonlySet<string> = new Set(['push', 'tag', 'status', 'log'])
/** Commands that do no work. */
const NO_WORK: ReadonlySet<string> = new Set(['cd', 'echo', 'true', 'cat', 'head', 'tail', 'wc'])
/** Output of a commit: `[main 1a2b3c4] …`, `[main (root-commit) 1a2b3c4] …`. */
const COMMIT_OUTPUT = /^\[[^\]\n]*?\b[0-9a-f]{7,40}\]/m

/**
 * The git role of a successful shell command. It is a commit if the commit decided the exit status or the output shows it.
 */
export function gitRole(command: string | null, success: boolean | null, output: string | null): GitRole | null {
  if (command === null || success !== true || !command.includes('git')) return null
  const { commands } = readCommand(command)
  const verbs = commands.map(({ words, bare, status }) => ({
    verb: gitVerb(bare.words),
    name: withoutFolder(words[0] ?? ''),
    decisive: status?.by === 'exit',
  }))
  if (verbs.some(({ verb, decisive }) => verb === 'commit' && (decisive || COMMIT_OUTPUT.test(output ?? '')))) return 'commit'
  const isAfter =
    verbs.some(({ verb }) => verb !== null) && verbs.every(({ verb, name }) => (verb === null ? NO_WORK.has(name) : AFTER_COMMIT.has(verb)))
  return isAfter ? 'after' : null
}

/** `commit`, `push` …; null for other programs and for dry runs of a commit. */
function gitVerb(words: readonly string[]): string | null {
  if (withoutFolder(words[0] ?? '') !== 'git') return null
  const at = skipOptions(words, 1, GIT_OPTIONS)
  const verb = words[at] ?? null
  return verb === 'commit' && words.slice(at + 1).some((word) => word === '--dry-run' || word === '--help' || word === '-h') ? null : verb
}
