import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { onJobEnd } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'

/** The training environment of this machine: Python and its packages, devices. */
export const environmentKeys = {
  all: ['training', 'environment'] as const,
  log: ['training', 'environment', 'log'] as const,
  devices: ['training', 'devices'] as const,
}

export const useTrainingEnvironment = () =>
  useQuery({ queryKey: environmentKeys.all, queryFn: ({ signal }) => api.getTrainingEnvironment({ query: {}, signal }) })
export const useTrainingEnvironmentLog = (isShown: boolean) =>
  useQuery({
    queryKey: environmentKeys.log,
    queryFn: ({ signal }) => api.getTrainingEnvironmentLog({ signal }),
    enabled: isShown,
    staleTime: 0,
  })
export const useTrainingDevices = () =>
  useQuery({ queryKey: environmentKeys.devices, queryFn: ({ signal }) => api.getTrainingDevices({ signal }) })

const INSTALL_JOB = 'training-environment'

export const environmentMessages = ({ refetch, refetchSoon }: Cache) => {
  const log = refetchSoon(environmentKeys.log)
  return {
    ...onJobEnd(INSTALL_JOB, () => refetch(environmentKeys.all)),
    'job:progress': ({ kind }) => {
      if (kind === INSTALL_JOB) log()
    },
    'settings:changed': () => refetch(environmentKeys.all),
  } satisfies Partial<Handlers>
}
