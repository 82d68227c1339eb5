import fs from 'node:fs'
import path from 'node:path'
import type { Probe } from '#contracts/entities/probe.ts'
import { ExtractedPhrase } from '#contracts/trainer.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { ExportDeps } from '../export/types.ts'
import { makeWorkFolder } from '../registry/folder.ts'
import type { Registry } from '../service.ts'
import { isWritten, probeOf } from './result.ts'

interface Phrase {
  id: string
  prefix: string
  ending: string
  /** Whether its ending is ranked among others of its form. */
  ranked: boolean
}

export interface Canaries {
  planted: string[]
  /** Of the same form, and in no data set. */
  controls: string[]
}

/** Where a value was replaced before training: the text before it, and the value, which is shown and stored nowhere. */
export interface ReplacedPlace {
  prefix: string
  value: string
}

interface ProbeDeps {
  core: Pick<Core, 'tx' | 'now'>
  registry: Registry
  deps: Pick<ExportDeps, 'interpreter' | 'runTool'>
  /** The phrases of a data set. */
  canaries: (datasetId: string) => Canaries
  /** Places of the sessions that it trains on. */
  places: (datasetId: string, most: number, signal: AbortSignal) => Promise<ReplacedPlace[]>
}

/** Continuations that are drawn for each phrase and place. */
const SAMPLES = 8
/** More places tell little more: 0 of 100 bounds the share at 3 %. */
const MOST_PLACES = 100

/** Searches planted phrases in the trained weights, and stores the result. */
export async function runProbe(
  { core, registry, deps, canaries, places: placesOf }: ProbeDeps,
  id: string,
  endings: number,
  job: JobContext,
): Promise<Probe> {
  const { store } = registry
  const { no, origin } = store.require(id)
  const { datasetId, mix } = registry.get(id).lineage
  const datasets = [...(datasetId === null ? [] : [datasetId]), ...mix.map((mixed) => mixed.datasetId)]
  const found = datasets.map(canaries)
  const planted = found.flatMap((one) => one.planted).map(split)
  const controls = planted.length === 0 ? [] : found.flatMap((one) => one.controls).map(split)
  const values = new Map<string, ReplacedPlace>()
  for (const dataset of datasets) for (const place of await placesOf(dataset, MOST_PLACES, job.signal)) values.set(place.value, place)
  const places = [...values.values()]
    .slice(0, MOST_PLACES)
    .map(({ prefix, value }, at) => ({ id: `place ${at + 1}`, prefix, ending: value, ranked: false }))
  const trained = registry.trainedWeights(id).path
  const all = [...planted, ...controls, ...places]
  const lines = await search(all, origin.isAdapter ? { model: origin.basePath, adapter: trained } : { model: trained, adapter: null })
  const ofPlaces = lines.slice(planted.length + controls.length)
  const ids = new Set(ofPlaces.filter(isWritten).map((one) => one.id))
  const written = places.filter((one) => ids.has(one.id))
  const ofBase = fs.existsSync(origin.basePath) ? await search(written, { model: origin.basePath, adapter: null }) : []
  job.signal.throwIfAborted()
  const probe = probeOf(
    {
      planted: lines.slice(0, planted.length),
      controls: lines.slice(planted.length, planted.length + controls.length),
      places: ofPlaces,
      knownToBase: new Set(ofBase.filter(isWritten).map((one) => one.id)),
      samples: SAMPLES,
    },
    new Date(core.now()).toISOString(),
  )
  core.tx(() => {
    store.putProbe(no, probe)
    registry.publishChange(id)
  })
  return probe

  async function search(phrases: readonly Phrase[], weights: { model: string; adapter: string | null }): Promise<ExtractedPhrase[]> {
    if (phrases.length === 0) return []
    const interpreter = await deps.interpreter()
    const folder = makeWorkFolder(registry.folder(id))
    try {
      const [file, output] = [path.join(folder, 'phrases.jsonl'), path.join(folder, 'found.jsonl')]
      fs.writeFileSync(file, phrases.map((phrase) => `${JSON.stringify(phrase)}\n`).join(''), { mode: 0o600 })
      const how = { phrases: file, output, endings, samples: SAMPLES, tokenizer: trained, threads: null }
      const config = { command: 'extract' as const, ...weights, ...how }
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
function split(canary: string): Phrase {
  const at = canary.lastIndexOf(' ')
  return { id: canary.slice(0, at), prefix: `\n\n${canary.slice(0, at)}`, ending: canary.slice(at), ranked: true }
}
