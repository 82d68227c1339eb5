import type { StepFacts } from '../facts.ts'

/** Checks and steps that ran on the code before the changes, as `step` or `step:act`. */
export function baselines(facts: readonly StepFacts[]): ReadonlySet<string> {
  const found = new Set<string>()
  const open = { stash: null as string[] | null, away: null as string[] | null }
  const worktrees: string[] = []
  const close = (which: keyof typeof open) => {
    for (const place of open[which] ?? []) found.add(place)
    open[which] = null
  }
  facts.forEach((step, index) => {
    if (step.edited !== null) open.stash = open.away = null
    const add = (place: string) => {
      open.stash?.push(place)
      open.away?.push(place)
    }
    step.acts?.forEach((act, at) => {
      if ('scope' in act) {
        add(`${index}:${at}`)
        if (worktrees.some((folder) => isIn(act.scope.folder, folder)) && !wasEdited(facts, act.scope.folder)) found.add(`${index}:${at}`)
      } else if (act.git === 'stash') open.stash = []
      else if (act.git === 'unstash') close('stash')
      else if (act.git === 'away') open.away = []
      else if (act.git === 'back') close('away')
      else worktrees.push(act.git.worktree)
    })
    if (step.red !== null) add(`${index}`)
  })
  return found
}

const isIn = (folder: string | null, above: string): boolean => folder !== null && (folder === above || folder.startsWith(`${above}/`))
const wasEdited = (facts: readonly StepFacts[], folder: string | null): boolean =>
  facts.some(({ edited }) => edited !== null && folder !== null && edited.startsWith(`${folder}/`))
