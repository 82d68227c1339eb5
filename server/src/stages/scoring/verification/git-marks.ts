/** How a git command changes the code that checks run on. */
export type GitMark = 'stash' | 'unstash' | 'away' | 'back' | { worktree: string }

const AWAY = /^(?:HEAD[~^].*|[0-9a-f]{7,40}|v?\d+\.\d+[\w.-]*|origin\/.*|main|master|develop)$/

export function gitMark(words: readonly string[]): GitMark | null {
  if (words[0] !== 'git') return null
  const rest = words.slice(1)
  while (rest[0] === '-C' || rest[0] === '-c') rest.splice(0, 2)
  const [verb, ...args] = rest
  if (verb === 'stash') {
    const subcommand = args.find((word) => !word.startsWith('-'))
    if (subcommand === undefined || subcommand === 'push' || subcommand === 'save') return 'stash'
    return subcommand === 'pop' || subcommand === 'apply' ? 'unstash' : null
  }
  if (verb === 'checkout' || verb === 'switch') {
    if (args.includes('--') || args.includes('-b') || args.includes('-c')) return null // files, or a new branch
    const target = args.find((word) => !word.startsWith('-') || word === '-')
    return args.includes('--detach') || AWAY.test(target ?? '') ? 'away' : target === undefined ? null : 'back'
  }
  if (verb === 'worktree' && args[0] === 'add') {
    const folder = args.slice(1).find((word, index, all) => !word.startsWith('-') && !/^-[bB]$/.test(all[index - 1] ?? ''))
    return folder === undefined ? null : { worktree: folder }
  }
  return null
}
