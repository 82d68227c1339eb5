import type { z } from 'zod'
import type { ExampleFilter } from '#contracts/routes/factory.ts'
import type { TraceFilter, TraceSort } from '#contracts/routes/traces.ts'

/** What a list of traces was asked for; a part left out and undefined are the same key. */
export interface TraceListQuery extends Partial<Omit<TraceFilter, 'tier' | 'agent' | 'verification'>> {
  tier?: string[] | undefined
  agent?: string[] | undefined
  verification?: string[] | undefined
  sort?: z.infer<typeof TraceSort>
}

/** Every key of the query cache. Socket handlers patch and invalidate by these, so nothing may make up its own. */
export const keys = {
  /** Lists, versions, rows and comparisons of data sets. */
  datasets: ['datasets'] as const,
  dataset: (id: string) => ['datasets', 'one', id] as const,
  /** Status, findings, decisions and budget of Settings → Privacy. */
  privacy: ['privacy'] as const,
  /** Outside of the others: a text that is shown is not asked for again by news about findings. */
  privacyContext: (id: string) => ['privacy-context', id] as const,
  privacyStatus: ['privacy', 'status'] as const,
  privacyFindings: (query: object) => ['privacy', 'findings', query] as const,
  privacyFacets: (query: object) => ['privacy', 'facets', query] as const,
  privacyDecisions: ['privacy', 'decisions'] as const,
  privacyBudget: ['privacy', 'budget'] as const,
  privacyBelow: (threshold: number) => ['privacy', 'below', threshold] as const,
  privacyPreview: (asked: unknown) => ['privacy', 'preview', asked] as const,
  health: ['health'] as const,
  home: ['home'] as const,
  stats: ['stats'] as const,
  /** Under `stats`, because new sessions bring new models. */
  prices: ['stats', 'prices'] as const,
  capture: ['capture'] as const,
  scan: ['scan'] as const,
  settings: ['settings'] as const,
  restored: ['restored'] as const,
  commandOverrides: ['command-overrides'] as const,
  anyStepCommands: ['step-commands'] as const,
  stepCommands: (traceId: string, command: string, cwd: string | null) => ['step-commands', traceId, command, cwd] as const,
  systemInfo: ['system-info'] as const,
  signIns: ['sign-ins'] as const,
  doctor: ['doctor'] as const,
  hooks: ['hooks'] as const,
  hooksStatus: ['hooks', 'status'] as const,
  hooksPreview: (action: 'install' | 'uninstall') => ['hooks', 'preview', action] as const,
  /** Endpoints that models can be asked at. */
  providers: ['providers'] as const,
  jobs: ['jobs'] as const,
  job: (id: string) => ['job', id] as const,
  /** Work of a kind about one thing. */
  jobsOf: (kind: string, subject: string) => ['jobs-of', kind, subject] as const,
  scoringPreview: (proposal: unknown) => ['scoring-preview', proposal] as const,
  scoringPreviews: ['scoring-preview'] as const,
  views: ['views'] as const,
  traces: ['traces'] as const,
  traceLists: ['traces', 'list'] as const,
  /** Infinite query: pages of `GET /api/traces`. */
  traceList: (query: TraceListQuery) => ['traces', 'list', query] as const,
  traceFacets: ['traces', 'facets'] as const,
  traceFacetsOf: (query: TraceListQuery) => ['traces', 'facets', query] as const,
  hitLines: (q: string, ids: readonly string[]) => ['traces', 'hit-lines', q, ids] as const,
  tracePlace: (id: string, query: TraceListQuery) => ['traces', 'place', id, query] as const,
  /** A few rows for the palette. */
  traceSearch: (q: string) => ['traces', 'search', q] as const,
  traceSearches: ['traces', 'search'] as const,
  trace: (id: string) => ['traces', 'detail', id] as const,
  traceDetails: ['traces', 'detail'] as const,
  /** Everything beneath one session: pages of steps and transcript, timeline, decisions. */
  traceParts: (id: string) => ['traces', 'parts', id] as const,
  steps: (id: string) => ['traces', 'parts', id, 'steps'] as const,
  step: (id: string, stepId: string) => ['traces', 'parts', id, 'step', stepId] as const,
  transcript: (id: string) => ['traces', 'parts', id, 'transcript'] as const,
  timeline: (id: string) => ['traces', 'parts', id, 'timeline'] as const,
  decisions: (id: string) => ['traces', 'parts', id, 'decisions'] as const,
  segments: (id: string) => ['traces', 'parts', id, 'segments'] as const,
  /** Everything about preference pairs under review. */
  pairs: ['pairs'] as const,
  /** Training: lists and single runs; beneath `parts` what messages that pass by tell, read again after a break. */
  runs: ['runs'] as const,
  runLists: ['runs', 'list'] as const,
  runList: (query: object) => ['runs', 'list', query] as const,
  /** A few runs for the palette. */
  runSearch: (q: string) => ['runs', 'search', q] as const,
  run: (id: string) => ['runs', 'one', id] as const,
  runParts: ['runs', 'parts'] as const,
  runPart: (id: string) => ['runs', 'parts', id] as const,
  runMetrics: (id: string, asked: object) => ['runs', 'parts', id, 'metrics', asked] as const,
  runSystem: (id: string) => ['runs', 'parts', id, 'system'] as const,
  runSamples: (id: string, source: string) => ['runs', 'parts', id, 'samples', source] as const,
  runCheckpoints: (id: string) => ['runs', 'parts', id, 'checkpoints'] as const,
  runLog: (id: string, q: string) => ['runs', 'parts', id, 'log', q] as const,
  runPlan: (request: object | null) => ['training', 'plan', request] as const,
  trainingQueue: ['training', 'queue'] as const,
  trainingDevices: ['training', 'devices'] as const,
  trainingEnvironment: ['training', 'environment'] as const,
  trainingEnvironmentLog: ['training', 'environment', 'log'] as const,
  baseModels: ['training', 'base-models'] as const,
  runPresets: ['training', 'presets'] as const,
  /** The registry: lists, single models, and what is read of one beneath `one`. */
  models: ['models'] as const,
  modelLists: ['models', 'list'] as const,
  /** Infinite query: pages of `GET /api/models`. */
  modelList: (query: object) => ['models', 'list', query] as const,
  /** A few models for the palette. */
  modelSearch: (q: string) => ['models', 'search', q] as const,
  /** Names by id. */
  modelNames: ['models', 'names'] as const,
  model: (id: string) => ['models', 'one', id] as const,
  modelLineage: (id: string) => ['models', 'one', id, 'lineage'] as const,
  modelCard: (id: string) => ['models', 'one', id, 'card'] as const,
  modelComparisons: ['models', 'compare'] as const,
  modelComparison: (ids: readonly string[]) => ['models', 'compare', ids] as const,
  servings: ['servings'] as const,
  /** A few rows of a data set, to try a model with. */
  sampleRows: (dataset: string) => ['datasets', dataset, 'samples'] as const,
  /** Tokenizers of this machine. */
  tokenizers: ['tokenizers'] as const,
  /** Everything about examples under review: pages of the list, one example. */
  examples: ['examples'] as const,
  /** Runs that asked a model for variants. */
  augmentRuns: ['examples', 'augment-runs'] as const,
  exampleLists: ['examples', 'list'] as const,
  exampleList: (query: Partial<ExampleFilter> & { sort: string }) => ['examples', 'list', query] as const,
  exampleFacets: (filter: ExampleFilter) => ['examples', 'facets', filter] as const,
  example: (id: string) => ['examples', 'detail', id] as const,
}
