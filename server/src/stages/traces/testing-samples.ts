import path from 'node:path'
import { createCapture, type CaptureDeps } from '#server/stages/capture/index.ts'
import type { Core } from '#server/core.ts'
import { resultOf } from '#server/testing/core.ts'
import { createTraces } from './index.ts'

export const SAMPLES = path.resolve(import.meta.dirname, '../../../../samples/claude-code')

/** For tests: capture and traces wired as in the app, with the real reader, without scores. */
export function wireSamples<C extends Core>(core: C, more: Pick<CaptureDeps, 'settings' | 'rowsVersion'> = {}) {
  const deps = { traces: null as ReturnType<typeof createTraces> | null }
  const capture = createCapture(core, {
    onArchived: (change) => deps.traces!.onArchived(change),
    follower: () => deps.traces!.follower(),
    onSignal: (signal) => deps.traces!.onSignal(signal),
    forget: (id) => deps.traces!.forgetRows(id),
    ...more,
  })
  const traces = createTraces(core, { capture, analysers: [], onDerived: () => {}, getScore: () => null, prices: () => [] })
  deps.traces = traces
  const importFolder = async (folder = SAMPLES) => resultOf<{ sessions: { new: number } }>(core, capture.startImport({ paths: [folder] }))
  const list = (q = '', sort: Parameters<typeof traces.lists.list>[0]['sort'] = '-startedAt') => traces.lists.list({ q, sort, limit: 100 })
  const close = async () => {
    await capture.close()
    await traces.close()
  }
  return { core, capture, traces, importFolder, list, close }
}
