import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Sandbox, SandboxExec, SandboxSpec, SandboxUsage } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget } from './rows.ts'

export const sandboxKeys = {
  /** The newest sandboxes, including running and queued ones. */
  all: ['sandboxes'] as const,
  limits: ['sandboxes', 'limits'] as const,
  one: (id: string) => ['sandbox', id] as const,
  trajectory: (id: string) => ['sandbox-trajectory', id] as const,
  usage: ['sandbox-usage'] as const,
  snapshots: ['sandbox-snapshots'] as const,
}

/** How many of the newest sandboxes are listed. */
export const LISTED_SANDBOXES = 100

export const useSandboxes = () =>
  useQuery({ queryKey: sandboxKeys.all, queryFn: ({ signal }) => api.listSandboxes({ query: { limit: LISTED_SANDBOXES }, signal }) })
export const useSandbox = (id: string) =>
  useQuery({ queryKey: sandboxKeys.one(id), queryFn: ({ signal }) => api.getSandbox({ params: { id }, signal }) })
export const useSandboxLimits = () =>
  useQuery({ queryKey: sandboxKeys.limits, queryFn: ({ signal }) => api.getSandboxLimits({ signal }), staleTime: 10_000 })
export const useTrajectory = (id: string) =>
  useQuery({ queryKey: sandboxKeys.trajectory(id), queryFn: ({ signal }) => api.getSandboxTrajectory({ params: { id }, signal }) })

/** Resource use of each running sandbox, updated by `sandbox:usage`. */
export const useUsage = () =>
  useQuery({
    queryKey: sandboxKeys.usage,
    queryFn: ({ signal }) => api.listSandboxUsage({ signal }),
    select: ({ items }): ReadonlyMap<string, SandboxUsage> => new Map(items.map((item) => [item.id, item])),
    structuralSharing: false,
  })

export const useSnapshots = () =>
  useQuery({ queryKey: sandboxKeys.snapshots, queryFn: ({ signal }) => api.listSandboxSnapshots({ signal }) })

export const useTakeSnapshot = (id: string) =>
  useMutation({
    mutationFn: (name: string) => api.takeSandboxSnapshot({ params: { id }, body: { name } }),
    meta: { title: "Couldn't save the snapshot" },
  })

export const useRemoveSnapshot = () =>
  useMutation({
    mutationFn: (name: string) => api.removeSandboxSnapshot({ params: { name } }),
    meta: { title: "Couldn't remove the snapshot" },
  })

/** `onStarted` is called with the copy when it runs. */
export const useFork = (id: string, onStarted: (copy: Sandbox) => void) =>
  useMutation({
    mutationFn: () => api.forkSandbox({ params: { id }, body: {} }),
    onSuccess: onStarted,
    meta: { title: "Couldn't fork the sandbox" },
  })

/** Creates a sandbox and starts it. Resolves when it runs; `onCreated` is called before that. */
export function useCreateSandbox(onCreated: (sandbox: Sandbox) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (spec: z.input<typeof SandboxSpec>) => {
      const sandbox = await api.createSandbox({ body: spec })
      void queries.invalidateQueries({ queryKey: sandboxKeys.all })
      onCreated(sandbox)
      return api.startSandbox({ params: { id: sandbox.id }, body: {} })
    },
    meta: { title: "Couldn't start the sandbox" },
  })
}

export const useStartSandbox = () =>
  useMutation({ mutationFn: (id: string) => api.startSandbox({ params: { id }, body: {} }), meta: { title: "Couldn't start the sandbox" } })

export const useStopSandbox = () =>
  useMutation({
    mutationFn: ({ id, remove }: { id: string; remove: boolean }) => api.stopSandbox({ params: { id }, body: { remove } }),
    meta: { title: "Couldn't stop the sandbox" },
  })

export function useExec(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: z.input<typeof SandboxExec>) => api.execInSandbox({ params: { id }, body: request }),
    onSettled: () => queries.invalidateQueries({ queryKey: sandboxKeys.trajectory(id) }),
    meta: { title: "Couldn't run the command" },
  })
}

export const useInterrupt = (id: string) =>
  useMutation({
    mutationFn: (session: string) => api.interruptSandbox({ params: { id }, body: { session } }),
    meta: { title: "Couldn't interrupt the command" },
  })

/** Id of this window, by which the server distinguishes who types. */
export const WINDOW = `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}` // randomUUID is missing if the page came over plain HTTP

/** Keys of this window go to the shell, once the commands before it have ended. */
export const useTakeOver = (id: string) =>
  useMutation({
    mutationFn: (session: string) => api.takeOverSandbox({ params: { id }, body: { session, window: WINDOW } }),
    meta: { title: "Couldn't take the terminal over" },
  })

export const useHandBack = (id: string) =>
  useMutation({
    mutationFn: (session: string) => api.handBackSandbox({ params: { id }, body: { session } }),
    meta: { title: "Couldn't hand the terminal back" },
  })

export const useOpenSession = (id: string) =>
  useMutation({
    mutationFn: (session: string) => api.openSandboxSession({ params: { id }, body: { session } }),
    meta: { title: "Couldn't open a session" },
  })

/** The recorded output of a session, in order; null if nothing was recorded. */
export async function readRecording(id: string, session: string, signal: AbortSignal): Promise<string[] | null> {
  try {
    const response = await api.getSandboxRecording({ params: { id }, query: { session }, signal })
    const [, ...events] = (await response.text()).trimEnd().split('\n')
    return events
      .map((line) => JSON.parse(line) as [at: number, kind: string, text: string])
      .flatMap(([, kind, text]) => (kind === 'o' ? text : []))
  } catch (error) {
    if (error instanceof AppError && error.code === 'recording_not_found') return null
    throw error
  }
}

export const sandboxMessages = ({ queries, refetch, refetchSoon, write, afterBreak }: Cache) => {
  const lists = refetchSoon(sandboxKeys.all)
  return {
    'sandbox:status': ({ sandbox }) => {
      write<Sandbox>(sandboxKeys.one(sandbox.id), () => sandbox)
      lists()
    },
    'sandbox:removed': ({ id }) => {
      forget(queries, sandboxKeys.one(id), 'sandbox_not_found')
      lists()
    },
    'sandbox:activity': ({ id, ...change }) => {
      write<Sandbox>(sandboxKeys.one(id), (known) => (known ? { ...known, ...change } : known))
      refetch(sandboxKeys.trajectory(id))
      lists()
    },
    'sandbox:snapshots': () => {
      refetch(sandboxKeys.snapshots)
      refetch(sandboxKeys.limits)
    },
    'sandbox:queue': lists,
    'sandbox:usage': (usage) => write(sandboxKeys.usage, usage),
    hello: () => afterBreak(sandboxKeys.all, sandboxKeys.usage, sandboxKeys.snapshots, ['sandbox'], ['sandbox-trajectory']),
  } satisfies Partial<Handlers>
}
