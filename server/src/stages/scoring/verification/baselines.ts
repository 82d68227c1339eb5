import type { StepFacts } from '../facts.ts'

/** Checks and steps that ran on the code before the changes, as `step` or `step:event`, both indexes. */
export function baselineKeys(facts: readonly StepFacts[]): ReadonlySet<string> {
  const keys = new Set<string>()
  const open = { stash: null as string[] | null, away: null as string[] | null }
  const worktrees: string[] = []
  const close = (which: keyof typeof open) => {
    for (const key of open[which] ?? []) keys.add(key)
    open[which] = null
  }
  facts.forEach((step, index) => {
    if (step.edited !== null) open.stash = open.away = null
    const add = (key: string) => {
      open.stash?.push(key)
      open.away?.push(key)
    }
    step.checkEvents?.forEach((event, at) => {
      if ('scope' in event) {
        add(`${index}:${at}`)
        if (worktrees.some((folder) => isIn(event.scope.folder, folder)) && !wasEdited(facts, event.scope.folder))
          keys.add(`${index}:${at}`)
      } else if (event.git === 'stash') open.stash = []
      else if (event.git === 'unstash') close('stash')
      else if (event.git === 'away') open.away = []
      else if (event.git === 'back') close('away')
      else worktrees.push(event.git.worktree)
    })
    if (step.red !== null) add(`${index}`)
  })
  return keys
}

const isIn = (folder: string | null, above: string): boolean => folder !== null && (folder === above || folder.startsWith(`${above}/`))
const wasEdited = (facts: readonly StepFacts[], folder: string | null): boolean =>
  facts.some(({ edited }) => edited !== null && folder !== null && edited.startsWith(`${folder}/`))
