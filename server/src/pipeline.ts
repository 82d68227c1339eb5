import os from 'node:os'
import path from 'node:path'
import type { Implementation } from '#contracts/derive/route.ts'
import { storeChecks } from './system/store-checks.ts'
import type { RedactionCounts } from '#contracts/entities/privacy.ts'
import { Health, Stats } from '#contracts/entities/system.ts'
import { AppError } from '#contracts/errors.ts'
import { lookup } from '#contracts/lookup.ts'
import { MOD_CLIENT } from '#contracts/router-words.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import { runCanary } from './adapters/agent-cli/canary/run.ts'
import { CODEX, createAgentCli, createClaudeCli, OPENCODE } from './adapters/agent-cli/index.ts'
import { validatePlugin } from './adapters/agent-cli/validate.ts'
import { sandboxWorkerArgv } from './adapters/sandbox/index.ts'
import { createBackends } from './adapters/sandbox/backends.ts'
import { createLocalEngine, createRayEngine } from './adapters/engine/index.ts'
import { findDevices } from './adapters/gpu/index.ts'
import { usableDevices } from './adapters/gpu/usable.ts'
import type { Config } from './config.ts'
import type { Core } from './core.ts'
import type { JobContext } from './jobs/jobs.ts'
import { createGit } from './adapters/git/index.ts'
import { childEnv } from './adapters/python/index.ts'
import { outputOf } from './process/output-of.ts'
import { findProgram } from './adapters/tools/find-program.ts'
import { readableTree } from './adapters/tools/readable-tree.ts'
import { listenEnvironment } from './http/environment-listener.ts'
import { createAgentStage } from './stages/agents/index.ts'
import {
  createCapture,
  createGuardHook,
  createHooks,
  isAtLeast,
  isExcluded,
  managedFoldersOf,
  managedVariables,
  traceId,
} from './stages/capture/index.ts'
import { createCheckStage } from './stages/checks/index.ts'
import { createFactory } from './stages/factory/index.ts'
import { createGuardrails, type GuardrailsDeps } from './stages/guardrails/index.ts'
import { createGym, newRunId } from './stages/gym/index.ts'
import { createLoop } from './stages/loop/index.ts'
import { createObservability } from './stages/observability/index.ts'
import { createJudge } from './stages/judge/index.ts'
import { createModels } from './stages/models/index.ts'
import { openToken } from './data-dir/token.ts'
import { createOutcomeStage } from './stages/outcomes/index.ts'
import { createPrivacy, redactText } from './stages/privacy/index.ts'
import { createRouter } from './stages/router/index.ts'
import { modOptions } from './mod-options.ts'
import { createSandboxStage } from './stages/sandboxes/index.ts'
import { createScoring } from './stages/scoring/index.ts'
import { createShellRl } from './stages/shell-rl/index.ts'
import { combine } from './stages/stage.ts'
import { createTraces, READER_VERSION, stepOfCall } from './stages/traces/index.ts'
import { priceOf } from './prices/prices.ts'
import { productInfo } from './product.ts'
import type { Confirmations } from './system/confirmations/confirmations.ts'
import { createHubAccess } from './system/hub.ts'
import { createProviders } from './system/providers.ts'
import type { SettingsService } from './system/settings.ts'
import { modelTools } from './system/model-tools.ts'
import { createTaskModels } from './system/task-models.ts'
import { createTrainingEnvironment } from './system/training-environment.ts'

// Explicit types, because the stages refer to each other.
type Guardrails = ReturnType<typeof createGuardrails>
type Privacy = ReturnType<typeof createPrivacy>
type Capture = ReturnType<typeof createCapture>
type Traces = ReturnType<typeof createTraces>
type Factory = ReturnType<typeof createFactory>
type Gym = ReturnType<typeof createGym>
type Models = ReturnType<typeof createModels>
type Checks = ReturnType<typeof createCheckStage>
type Agents = ReturnType<typeof createAgentStage>
type ShellRl = ReturnType<typeof createShellRl>
type Router = ReturnType<typeof createRouter>
type Judge = ReturnType<typeof createJudge>
type Stages = ReturnType<typeof combine>

/**
 * Connects the stages. Capture passes archived bytes to traces, traces runs scoring while it reads them, and scoring
 * stores its result with the trace. Stages do not know later stages, so they get functions of those from here.
 */
export function createPipeline(core: Core, settings: SettingsService, confirmations: Confirmations) {
  const { config, log } = core
  const client = createClaudeCli(config)
  const hooks = createHooks({
    claudeDir: config.claudeDir,
    dataDir: config.dataDir,
    hookSource: config.hookSource,
    clientVersion: () => client.version(),
    now: core.now,
  })
  const settingsFile = path.join(config.claudeDir, 'settings.json')
  let repaired: string[] = []

  /** A session whose folder is not known may be one of those that the user leaves out, until it is captured. */
  const isCapturedTrace = (id: string | null, cwd: string | null = null): boolean => {
    const { paused, excludedProjects } = settings.get().capture
    if (paused || excludedProjects.length === 0) return !paused
    return cwd === null ? id !== null && traces.head(id) !== null : !isExcluded(cwd, excludedProjects)
  }
  const isCaptured: GuardrailsDeps['isCaptured'] = ({ session, cwd }) =>
    isCapturedTrace(session === null ? null : traceId('claude-code', session), cwd)
  const guardrails: Guardrails = createGuardrails(core, {
    redact: (text) => redactText(text, 'redact').text,
    personal: (text, signal) => privacy.findingsIn(text, signal),
    clear: (text, signal) => privacy.clearText(text, 'check by a service', signal),
    settings: () => settings.get().guardrails,
    traces: {
      summaries: () => traces.summaries(),
      head: (traceId) => traces.head(traceId),
      reading: (input, options) => traces.reading(input, options),
      isBusy: () => traces.isBusy(),
    },
    installed: {
      profiles: clientProfiles(config),
      managed: managedFoldersOf(process.platform),
      uses: () => traces.uses(),
      projects: (most) => traces.folders(most),
      validate: (folder, signal) => validatePlugin(client, config, config.claudeDir, folder, signal),
    },
    traceOf: (session) => traceId('claude-code', session),
    isCaptured,
    stepOf: stepOfCall,
    client: {
      client: {
        version: () => client.version(),
        program: () => client.program(),
        loadsMods: (version) => isAtLeast(version, MOD_CLIENT),
      },
      settingsFile,
      path: config.path,
      canary: runCanary,
      managedVariables: () => managedVariables(managedFoldersOf(process.platform)),
      mod: { report: () => router.mod.report(), install: () => router.mod.install(), others: () => router.mod.others() },
      hook: createGuardHook({
        dataDir: config.dataDir,
        source: config.guardSource,
        script: core.paths.guardHook,
        settingsFile,
        now: core.now,
      }),
    },
  })
  /** Records what is replaced in the requests of runs. */
  const openRedaction: Privacy['openRun'] = (purpose, options) => {
    let before: RedactionCounts = lookup()
    return privacy.openRun(purpose, {
      ...options,
      onReplaced(counts) {
        guardrails.redacted(Object.fromEntries(Object.entries(counts).map(([type, count]) => [type, count - (before[type] ?? 0)])))
        before = counts
        options.onReplaced(counts)
      },
    })
  }
  const privacy: Privacy = createPrivacy(core, {
    traces: {
      summaries: () => {
        const sizes = capture.sizes()
        return traces.summaries().map(({ id, rev, repo }) => ({ id, rev, project: repo, bytes: sizes.get(id) ?? 0 }))
      },
      head: (traceId) => {
        const head = traces.head(traceId)
        return head && { id: head.id, rev: head.rev, project: head.repo }
      },
      passages: (input, options) => traces.passages(input, options),
      isBusy: () => traces.isBusy(),
      setProblem: (traceId, message) => traces.setProblem(traceId, 'unscanned', 'privacy scan', message),
      item: (traceId, entryId) => traces.item(traceId, entryId),
      figures: () => traces.figures(),
    },
    policy: () => settings.get().privacy,
    names: localNames(),
  })
  const capture: Capture = createCapture(core, {
    onArchived: (change) => traces.onArchived(change),
    rowsVersion: READER_VERSION,
    follower: () => traces.follower(),
    onSignal: (signal) => traces.onSignal(signal),
    forget: (traceId) => stages.forget(traceId),
    settings: () => settings.get().capture,
    exclude: (cwd) => {
      const { excludedProjects } = settings.get().capture
      if (!excludedProjects.includes(cwd)) settings.patch({ capture: { excludedProjects: [...excludedProjects, cwd] } })
    },
    hooksInstalled: hooks.isInstalled,
    indexing: () => traces.searchStatus(),
    problems: () => [...traces.searchProblems(), ...settings.problems()],
  })
  const scoring = createScoring(core, {
    traces: {
      setPolicyScore: (traceId, score) => traces.setPolicyScore(traceId, score),
      userTiers: (traceIds) => traces.userTiers(traceIds),
      count: () => traces.count(),
    },
    settings: () => settings.get().scoring,
    savePolicy: (policy) => void settings.patch({ scoring: { policy } }),
    rederive: (traceId, signal) => traces.rederive(traceId, signal),
    verified: (traceId) => checks.verified(traceId),
    projectOf: (traceId) => traces.project(traceId),
  })
  const providers = createProviders(core, {
    settings: () => settings.get().providers,
    price: (model) => priceOf(model, settings.get().prices),
    confirmations,
  })
  const factory: Factory = createFactory(core, {
    traces: {
      ids: (filter) => traces.lists.ids(filter),
      trace: (traceId) => traces.trace(traceId),
      families: () => traces.families(),
      examined: () => exams.examined(),
      detail: (traceId) => traces.detail(traceId),
    },
    preferred: () => agents.preferred(),
    shadowPairs: (traceIds) => router.shadow.pairsOf(traceIds),
    examinedRows: () => exams.examinedRows(),
    version: productInfo().version,
    gate: (purpose) => privacy.gateInput(purpose, privacy.reviewKey),
    providers,
    prices: () => settings.get().prices,
    tokenizers: () => settings.get().factory.tokenizers,
    usedBy(datasetId) {
      const { runs, models: made } = gym.usedBy(datasetId)
      return { runs, models: made.map((id) => ({ id, name: models.nameOf(id) ?? id })) }
    },
  })
  const hub = createHubAccess(core, { settings: () => settings.get().training.hub, confirmations })
  const environment = createTrainingEnvironment(core, {
    setting: () => settings.get().training.python,
    running: () => gym.activeRunNames(),
  })
  const interpreter = async () => {
    const { python, env } = await environment.python.require()
    return { program: python, env }
  }
  const gym: Gym = createGym(core, {
    engines: {
      local: createLocalEngine(),
      ray: createRayEngine(() => settings.get().training.ray, path.join(config.trainersDir, 'bashgym_trainers', 'remote.py')),
    },
    python: interpreter,
    async packages() {
      const { python, packages } = await environment.python.status({ imports: false })
      return python === null ? null : { program: python, packages: new Map(packages.flatMap(({ name, version }) => (version === null ? [] : [[name, version]]))) } // prettier-ignore
    },
    devices: async () => usableDevices(await findDevices(config.path), environment.python.factsForGpus),
    sandbox: sandboxWorkerArgv,
    datasets: factory.datasets,
    repoOf: (traceId) => traces.head(traceId)?.repo ?? null,
    baseModels: () => ({ named: settings.get().factory.tokenizers, shelves: settings.get().training.baseModels }),
    hub,
    onCompleted: (run) => models.onRunCompleted(run),
    shellTasks: {
      rows: (split, use) => shellRl.training.rows(split, use),
      limit: () => shellRl.training.places(),
      environment: () => shellRl.training.environment(),
    },
  })
  const models: Models = createModels(core, {
    runs: {
      name: (id) => orNull(() => gym.run(id).name),
      modelRemoved: (id) => gym.modelRemoved(id),
      exportFailed: (id, message) => gym.exportFailed(id, message),
      runsReading: (place) => gym.runsReading(place),
    },
    datasets: {
      find: (id) => orNull(() => factory.datasets.get(id)),
      folder: factory.datasets.folder,
      canaries: (id) => orNull(() => factory.datasets.canaries(id)) ?? { planted: [], controls: [] },
      places: async (id, most, signal) => {
        const sources = orNull(() => factory.datasets.get(id).sources) ?? []
        return privacy.replacedPlaces(
          sources.flatMap(({ traceId, split }) => (split === 'test' ? [] : traceId)),
          most,
          signal,
        )
      },
    },
    traces: { titleOf: (id) => orNull(() => traces.trace(id).title) },
    evaluations: (id) => exams.verdictsOf(id),
    tools: modelTools(config, interpreter),
    inUse() {
      const { studentModel: modelId, studentAddress, servedContext: context, servedThreads: threads, idleMinutes } = settings.get().router
      return modelId === '' || studentAddress !== '' ? null : { modelId, context, threads, idleMinutes }
    },
    version: productInfo().version,
  })
  const traces: Traces = createTraces(core, {
    capture,
    analysers: [scoring.analyser, factory.analyser],
    onDerived: (traceId, analyses, _, news) => {
      const score = analyses['scoring'] as Parameters<typeof scoring.onDerived>[1] | undefined // the analyser of scoring returned it
      if (score) scoring.onDerived(traceId, score, news)
      const facts = analyses['segments'] as Parameters<typeof factory.onDerived>[1] | undefined // the analyser of the factory returned it
      if (facts) factory.onDerived(traceId, facts)
    },
    getScore: scoring.getScore,
    segments: (traceId) => factory.segments(traceId),
    prices: () => settings.get().prices,
    clientOf: (sessionId) => capture.clientOf(sessionId),
    answeredBy: (name) => router.answeredBy(name),
  })

  const taskModels = createTaskModels({
    providers,
    price: (model) => priceOf(model, settings.get().prices),
    clear: (request, signal) => privacy.clearRequest(request, 'run of an agent', signal),
    served: {
      nameOf: models.nameOf,
      baseNameOf: (id) => orNull(() => models.facts(id).base.name),
      serve: (...args) => models.serve(...args),
    },
    timeoutMs: () => settings.get().providers.timeoutSec * 1000,
  })
  const git = createGit(config)
  const ofTraces = {
    requireTrace: (traceId: string) => void traces.trace(traceId),
    idsOf: (filter: TraceFilter) => traces.lists.ids(filter),
    projectOf: (traceId: string) => traces.project(traceId),
  }
  const { stage: sandboxStage, sandboxes } = createSandboxStage(core, {
    backends: createBackends({
      records: core.paths.boxes,
      snapshots: core.paths.snapshots,
      dataDir: config.dataDir,
      dockerHost: config.dockerHost,
    }),
    limits() {
      const { running, queue } = settings.get().arena
      return { running: config.sandboxes.running ?? running, queue: config.sandboxes.queue ?? queue }
    },
    snapshotLimits() {
      const { snapshots, snapshotMb } = settings.get().arena
      return { most: snapshots, mostBytes: snapshotMb * 1_000_000 }
    },
    requireRules: (overrides) => void guardrails.policyOf(overrides),
    evaluateCommand: (command, { sandboxId, overrides }) =>
      guardrails.check(command, 'sandbox', { sandboxId, policy: guardrails.policyOf(overrides) }),
    isNeeded: (leftAs) => agents.isNeeded(leftAs),
  })
  const checks: Checks = createCheckStage(core, {
    sandboxes,
    git,
    traces: { ...ofTraces, callsOf: (traceId) => traces.trace(traceId).counts.toolCalls },
    onVerified: (traceId, signal) => scoring.onCheckResultChanged(traceId, signal),
    tools: {
      find: (name, foreign) => findProgram(name, config.path, foreign),
      outputOf: (program, args, foreign) => outputOf(program, args, { env: { ...childEnv(config), GOTOOLCHAIN: 'local' }, foreign }),
      userHome: config.userHome,
      copyOf: readableTree,
    },
  })
  const outcomes = createOutcomeStage(core, {
    lists: traces.lists,
    git,
    requireTrace: ofTraces.requireTrace,
    settings: () => settings.get().scoring,
  })
  const agents: Agents = createAgentStage(core, {
    sandboxes,
    checks: checks.checks,
    toolchains: checks.toolchains,
    verifySession: checks.verifySession,
    git,
    idsOf: ofTraces.idsOf,
    claude: { program: client, userConfig: { folder: config.claudeDir, json: path.join(config.userHome, '.claude.json') } },
    opencode: createAgentCli(OPENCODE, { ...config, bin: config.opencodeBin }),
    codex: createAgentCli(CODEX, { ...config, bin: config.codexBin }),
    models: taskModels,
    gymTurns: {
      next: (...args) => router.gymTurns.next(...args),
      nameOf: (...args) => router.gymTurns.nameOf(...args),
    },
    openRedaction,
    async archive({ agent, folder, session, run }, signal) {
      const id = traceId(agent, session)
      traces.runs.keep(id, run)
      const job = capture.startImport({ paths: [folder], agent })
      const stop = () => void core.jobs.cancel(job.id)
      signal.addEventListener('abort', stop, { once: true })
      await core.jobs.wait(job.id).finally(() => signal.removeEventListener('abort', stop))
      if (traces.head(id)) return id
      traces.runs.forget(id)
      return null
    },
  })
  const shellRl: ShellRl = createShellRl(core, {
    sandboxes,
    models: taskModels,
    traces: {
      requireTrace: ofTraces.requireTrace,
      repoOf: (traceId) => traces.trace(traceId).repo,
      examOf: (traceId) => exams.examOf(traceId),
    },
    gate: (purpose) => privacy.gateInput(purpose, privacy.reviewKey),
    openRedaction,
    environments: { listen: listenEnvironment, version: productInfo().version },
    hub,
    version: productInfo().version,
  })

  const exams: Judge = createJudge(core, {
    work: factory.recordedWork,
    endpoints: taskModels,
    registry: {
      facts: (id) => models.facts(id),
      trainedOn: (id) => models.trainedOn(id),
      serveBase: (id) => models.serve(id, { base: true }),
    },
    datasets: { find: (id) => orNull(() => factory.datasets.get(id)), ids: factory.datasets.ids },
    readCalls: models.readCalls,
    hub,
    sharedTexts: factory.sharedTexts,
    gate: (purpose) => privacy.gateInput(purpose, privacy.reviewKey),
    idsOf: async (query) => ofTraces.idsOf(query === undefined ? {} : { q: query }),
    setTraceScore: traces.answerScores.put,
    sessionOf: (taskId) => agents.sessionOf(taskId),
    episode: (set, id) => shellRl.episode(set, id),
    factsOf: (traceId) => ({
      verification: traces.trace(traceId).verification,
      efficiency: scoring.getScore(traceId)?.metrics.efficiency ?? null,
    }),
    traces: { ids: ofTraces.idsOf, trace: (id) => traces.trace(id) },
    checks: checks.checks,
    git,
    agents: agents.runs,
    async newestSessions() {
      const { items } = await traces.lists.list({ agent: ['claude-code'], sort: '-startedAt', limit: 50 })
      return items.filter(({ taskId, sample, hooksOnly }) => taskId === null && !sample && !hooksOnly)
    },
    version: productInfo().version,
    newId: newRunId,
    onDecided: (id) => models.changed(id),
    shadowPairs: (limit) => router.shadow.undecided(limit),
    shadowJudged: (...verdict) => router.shadow.judgedBy(...verdict),
    probeOf: (id) => orNull(() => models.probeOf(id)),
  })

  const router: Router = createRouter(core, {
    settings: () => settings.get().router,
    endpoints: taskModels,
    nameOf: (id) => models.nameOf(id),
    filesOf: (id) => orNull(() => ({ ...models.facts(id).hashes, quantization: models.quantizationOf(id) })) ?? {},
    verdictsOf: (id) => exams.verdictsOf(id),
    examined: () => exams.examined(),
    leaks: (id) => orNull(() => models.probeOf(id))?.state === 'leaks',
    readCalls: models.readCalls,
    runs: agents.runs,
    patchOf: agents.patchOf,
    checksOf: (directory) => checks.checks.find(directory),
    verdictOf: (command) => guardrails.check(command, 'native'),
    contextOf: (id) => models.contextOf(id),
    load: (id) => models.load(id),
    guard: () => guardrails.clientGuard(),
    passedResults: guardrails.passedResults,
    isCaptured,
    mod: modOptions(config, () => client.version()),
    paceOf: (run) => exams.paceOf(run),
    prices: () => settings.get().prices,
    otherTeacher: () => config.providers.augmentation ?? settings.get().providers.augmentation,
    forced: config.routingStrategy,
    token: () => openToken(core.paths.proxyToken).value,
    upstream: () => config.providers.anthropicBaseUrl ?? settings.get().providers.anthropic.baseUrl,
  })

  const observability = createObservability(core, {
    traces,
    prices: () => settings.get().prices,
    gate: (purpose) => privacy.gateInput(purpose, privacy.reviewKey),
    version: productInfo().version,
    settings: () => settings.get().telemetry,
    token: () => openToken(core.paths.telemetryToken).value,
    keys: config.collectorKeys,
    isCaptured: (id) => isCapturedTrace(id),
  })

  // In the order of their start: capture finds work for other stages, and models must be ready before the gym continues runs.
  const stages: Stages = combine(
    core,
    [
      guardrails.stage,
      capture.stage,
      traces.stage,
      factory.stage,
      privacy.stage,
      models.stage,
      gym.stage,
      scoring.stage,
      sandboxStage,
      checks.stage,
      outcomes.stage,
      agents.stage,
      shellRl.stage,
      exams.stage,
      router.stage,
      createLoop(traces.lists).stage,
      observability.stage,
    ],
    () => settings.get(),
  )

  return {
    routes: [
      ...stages.routes,
      ...notifying(hooks.routes, () => capture.statusChanged()),
      ...environment.routes,
      ...providers.routes,
      ...hub.routes,
    ],
    streams: stages.streams,
    startAgain: stages.startAgain,
    stored: stages.stored,
    modelShelves: () => {
      const { training, factory: { tokenizers } } = settings.get() // prettier-ignore
      return [
        config.hubCache,
        hub.folder(),
        config.ollamaModels,
        ...config.lmStudioModels,
        core.paths.models,
        ...training.baseModels,
        ...tokenizers,
      ]
    },
    rebuild: (context: JobContext) => traces.rebuild(context),
    verify: traces.verify,
    hooks: hooks.report,
    routerChecks: () => router.doctor(),
    /** Each stage provides its figures; the contract requires all of them. */
    stats: async (): Promise<Stats> => Stats.parse(await stages.figures()),
    checks: (): Health['checks'] =>
      Health.shape.checks.parse({
        ...stages.checks(),
        ...storeChecks(core),
        hooks: hooks.isInstalled() ? 'installed' : 'missing',
        disk: core.disk.isFull() ? 'full' : 'ok',
      }),
    python: environment.python,
    /** Repairs that capture made at the start, for example after a crash. */
    repaired: (): readonly string[] => repaired,
    async start(options: { watch: boolean }): Promise<void> {
      await stages.start(options)
      const { problems } = await capture.status()
      repaired = problems.filter(({ kind }) => kind === 'repaired').map(({ message }) => message)
      for (const repair of repaired) log.info(`Repaired: ${repair}`)
    },
    close: () => stages.close(),
  }
}

/** Null if the item no longer exists. */
function orNull<T>(find: () => T): T | null {
  try {
    return find()
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

/** Every folder of Claude Code that is known: the chosen one, and the usual one beside it. */
function clientProfiles({ claudeDir, userHome }: Config) {
  const [usual, state] = [path.join(userHome, '.claude'), path.join(userHome, '.claude.json')]
  const chosen = { folder: claudeDir, states: [path.join(claudeDir, '.claude.json'), ...(claudeDir === usual ? [state] : [])] }
  return claudeDir === usual ? [chosen] : [chosen, { folder: usual, states: [state] }]
}

/** Account names that identify nobody. */
const COMMON_ACCOUNTS = /^(root|user|admin|administrator|node|ubuntu|debian|runner|app|vscode|.{0,2})$/i

/** Names of this machine and its user, which the privacy scan looks for in every text. */
function localNames() {
  const { username } = os.userInfo()
  const host = os.hostname().split('.')[0] ?? ''
  return {
    usernames: COMMON_ACCOUNTS.test(username) ? [] : [username],
    hostnames: /^(localhost|.{0,3})$/i.test(host) ? [] : [host],
  }
}

/** Calls `notify` after each route that is not a GET. */
function notifying(routes: readonly Implementation[], notify: () => void): Implementation[] {
  return routes.map((implementation) =>
    implementation.route.method === 'get'
      ? implementation
      : {
          ...implementation,
          async handle(input) {
            const output = await implementation.handle(input)
            notify()
            return output
          },
        },
  )
}
