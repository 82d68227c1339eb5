import type { TaskRequest } from '#contracts/entities/task.ts'

/** Why an agent other than Claude Code cannot do this run; null if it can. */
export function refusalFor(name: string, { permissions, context, endpoint, model }: TaskRequest) {
  if (permissions === 'ask')
    return {
      message: `${name} cannot ask for permission in runs.`,
      hint: 'Allow it everything inside its sandbox, or choose Claude Code.',
    }
  if (context === 'mine')
    return { message: `${name} runs without your own instructions and tools.`, hint: 'Choose a clean context, or Claude Code.' }
  if (endpoint.kind === 'url' && model === undefined)
    return { message: `${name} needs the name of a model at this endpoint.`, hint: 'Enter the name that the endpoint uses.' }
  return null
}
