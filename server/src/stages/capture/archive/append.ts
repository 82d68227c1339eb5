import fs from 'node:fs'
import path from 'node:path'
import type { AppendOptions, AppendResult, AppendTrace } from './append-types.ts'
import { AppendWork, type Trace } from './append-work.ts'
import { syncFolder } from './durable.ts'
import { FrameBuffer } from './frames.ts'

/**
 * Archives new bytes of some traces. Data files are synced before the manifest lines that name them, and manifests
 * before this resolves; the syncs of one call run in parallel. A trace gets all its new frames or none.
 */
export async function appendTraces(traces: AppendTrace[], options: AppendOptions = {}): Promise<AppendResult[]> {
  const cache = (options.cache ?? new Map()) as Map<string, Trace>
  const buffers = new FrameBuffer()
  const pending: { work: AppendWork; result: AppendResult }[] = []
  for (const request of traces) {
    const work = new AppendWork(request, cache, options, buffers)
    pending.push({ work, result: await work.write() })
  }
  await Promise.all(pending.map(({ work, result }) => work.commit(result)))
  // A new trace folder is an entry of its parent folder, which is synced once for all new traces.
  const parents = new Set(pending.flatMap(({ result }, index) => (result.isNew ? [path.dirname(traces[index]!.traceDir)] : [])))
  await Promise.all([...parents].filter((folder) => fs.existsSync(folder)).map(syncFolder))
  return pending.map(({ result }) => result)
}
