import fs from 'node:fs'
import path from 'node:path'
import type { Probe } from '#contracts/entities/probe.ts'
import { ExtractedPhrase } from '#contracts/trainer.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { ExportDeps } from '../export/types.ts'
import { makeWorkFolder } from '../registry/folder.ts'
import type { Registry } from '../service.ts'
import { probeOf } from './result.ts'

export interface Canaries {
  planted: string[]
  /** Of the same form, and in no data set. */
  controls: string[]
}

interface ProbeDeps {
  core: Pick<Core, 'tx' | 'now'>
  registry: Registry
  deps: Pick<ExportDeps, 'interpreter' | 'runTool'>
  /** The phrases of a data set. */
  canaries: (datasetId: string) => Canaries
}

/** Searches planted phrases in the trained weights, and stores the result. */
export async function runProbe(
  { core, registry, deps, canaries }: ProbeDeps,
  id: string,
  endings: number,
  job: JobContext,
): Promise<Probe> {
  const { store } = registry
  const { no, origin } = store.require(id)
  const { datasetId, mix } = registry.get(id).lineage
  const found = [...(datasetId === null ? [] : [datasetId]), ...mix.map((mixed) => mixed.datasetId)].map(canaries)
  const planted = found.flatMap((one) => one.planted)
  const phrases = [...planted, ...(planted.length === 0 ? [] : found.flatMap((one) => one.controls))].map(split)
  const lines = phrases.length === 0 ? [] : await search()
  job.signal.throwIfAborted()
  const probe = probeOf(lines.slice(0, planted.length), lines.slice(planted.length), new Date(core.now()).toISOString())
  core.tx(() => {
    store.putProbe(no, probe)
    registry.publishChange(id)
  })
  return probe

  async function search(): Promise<ExtractedPhrase[]> {
    const trained = registry.trainedWeights(id).path
    const interpreter = await deps.interpreter()
    const folder = makeWorkFolder(registry.folder(id))
    try {
      const [file, output] = [path.join(folder, 'phrases.jsonl'), path.join(folder, 'found.jsonl')]
      fs.writeFileSync(file, phrases.map((phrase) => `${JSON.stringify(phrase)}\n`).join(''), { mode: 0o600 })
      const weights = origin.isAdapter ? { model: origin.basePath, adapter: trained } : { model: trained, adapter: null }
      const config = { command: 'extract' as const, ...weights, phrases: file, output, endings, tokenizer: trained, threads: null }
      await deps.runTool({ interpreter, config, folder, signal: job.signal }, job.progress)
      return fs
        .readFileSync(output, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => ExtractedPhrase.parse(JSON.parse(line)))
    } finally {
      fs.rmSync(folder, { recursive: true, force: true })
    }
  }
}

/** As it ends an answer in the training data. Its id has no digits of the ending. */
function split(canary: string): { id: string; prefix: string; ending: string } {
  const at = canary.lastIndexOf(' ')
  return { id: canary.slice(0, at), prefix: `\n\n${canary.slice(0, at)}`, ending: canary.slice(at) }
}
