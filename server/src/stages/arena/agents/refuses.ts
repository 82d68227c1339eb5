import type { TaskRequest } from '#contracts/entities/task.ts'

/** Why an agent other than Claude Code cannot do this run; null: it can. */
export function refusesOfOthers(name: string, { permissions, context, endpoint, model }: TaskRequest) {
  if (permissions === 'ask')
    return {
      message: `${name} cannot ask before it acts when it is run here.`,
      hint: 'Let it do all that its sandbox may, or choose Claude Code.',
    }
  if (context === 'mine')
    return { message: `${name} is run without your own instructions and tools.`, hint: 'Choose a clean context, or Claude Code.' }
  if (endpoint.kind === 'url' && model === undefined)
    return { message: `${name} needs the name of a model at this endpoint.`, hint: 'Enter it as the endpoint calls it.' }
  return null
}
