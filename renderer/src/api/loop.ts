import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { onTracesChanged } from './traces.ts'

export const loopKey = ['loop'] as const

export const useLoop = () => useQuery({ queryKey: loopKey, queryFn: ({ signal }) => api.getLoop({ signal }) })

export const loopMessages = ({ refetchSoon }: Cache) => {
  const soon = refetchSoon(loopKey)
  return {
    ...onTracesChanged(soon),
    'dataset:added': soon,
    'dataset:removed': soon,
    'training:changed': soon,
    'training:removed': soon,
    'training:complete': soon,
    'training:failed': soon,
    'model:changed': soon,
    'model:removed': soon,
    'exam:added': soon,
    'evaluation:progress': soon,
    'evaluation:complete': soon,
    'evaluation:failed': soon,
    'task:status': soon,
    'task:complete': soon,
    'task:removed': soon,
    'router:step': soon,
  } satisfies Partial<Handlers>
}
