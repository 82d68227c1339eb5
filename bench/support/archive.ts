// Imports a generated history into a temporary data directory.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createCapture } from '#server/stages/capture/index.ts'
import { createTraces } from '#server/stages/traces/index.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { writeHistory } from './history.ts'

/** `claude` is the folder of the transcripts, which the caller removes; `bytes` is their total size. Nothing is scored. */
export async function importHistory(name: string, files: number): Promise<{ core: TestCore; claude: string; bytes: number }> {
  const claude = fs.mkdtempSync(path.join(os.tmpdir(), `bashgym-bench-${name}-`))
  const { bytes } = writeHistory(claude, { files, largest: 0 })
  const core = openCore()
  const deps = { traces: null as ReturnType<typeof createTraces> | null }
  const capture = createCapture(core, {
    onArchived: (change) => deps.traces!.onArchived(change),
    onSignal: (signal) => deps.traces!.onSignal(signal),
    forget: (id) => deps.traces!.forgetRows(id),
  })
  deps.traces = createTraces(core, { capture, analysers: [], onDerived: () => {}, getScore: () => null, prices: () => [] })
  await core.jobs.wait(capture.startImport({ paths: [claude] }).id)
  return { core, claude, bytes }
}
