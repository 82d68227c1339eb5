import fs from 'node:fs'
import path from 'node:path'
import { sync as writeFileAtomicSync } from 'write-file-atomic'
import type { ClientGuard } from '#contracts/entities/client-guard.ts'
import { implement } from '#contracts/derive/route.ts'
import type { RouteDecision } from '#contracts/entities/routing.ts'
import { generate as generateRoute } from '#contracts/routes/routing.ts'
import * as routes from '#contracts/routes/router.ts'
import type { Core } from '#server/core.ts'
import { type GymTurns, TOOLS_OF_CLIENT } from '../agents/index.ts'
import type { Stage } from '../stage.ts'
import { createGymRules, type GymRulesDeps } from './allow-rules/service.ts'
import { createClientParts } from './client/index.ts'
import { checksOf as doctorChecks } from './doctor.ts'
import { rulesFileOf } from './mod/files.ts'
import { costOfAnswer } from './figures/cost.ts'
import { createFigures } from './figures/service.ts'
import { createGenerate, type GenerateDeps } from './generate/service.ts'
import type { ModInstallerOptions } from './mod/installer.ts'
import { createProofs, type ProofDeps } from './proof.ts'
import { createRules } from './rules/service.ts'
import { proxyRoutes } from './proxy/routes.ts'
import { createDecisions } from './proxy/store.ts'
import { createProxy, type ProxyDeps } from './proxy/service.ts'
import { routingRoutes } from './routing/routes.ts'
import { createRouting, type RoutingDeps } from './routing/service.ts'
import { createSavings, type SavingsDeps } from './savings/service.ts'
import { savingsRoutes } from './savings/routes.ts'
import { answerStep, nextTurn, type StepDeps } from './step.ts'
import { createShadowAnswers } from './shadow/answers.ts'
import { shadowRoutes } from './shadow/routes.ts'
import { createModSteps } from './steps/store.ts'
import { createSandboxWork, type SandboxWorkDeps } from './work/service.ts'
import { type ChosenStudent, createStudents, type StudentDeps } from './student.ts'

export { createModInstaller, type ModInstallerOptions, studentFile } from './mod/installer.ts'

export interface RouterDeps
  extends
    Omit<StudentDeps, 'settings' | 'proofs' | 'client'>,
    Pick<ProofDeps, 'filesOf'>,
    Pick<StepDeps, 'readCalls'>,
    SandboxWorkDeps,
    Pick<GymRulesDeps, 'checksOf' | 'verdictOf'>,
    Pick<ProxyDeps, 'upstream' | 'token' | 'passedResults' | 'isCaptured'>,
    Pick<SavingsDeps, 'paceOf' | 'prices'>,
    Pick<GenerateDeps, 'otherTeacher'>,
    Pick<RoutingDeps, 'forced' | 'settings'> {
  mod: ModInstallerOptions
  /** The guard over Claude Code's own commands, for the system check. */
  guard: () => Promise<ClientGuard>
  patienceMs?: number
  /** Sessions of exams, with the name of the exam. */
  examined: () => ReadonlyMap<string, string>
  /** What a model that is served here can read and write together. */
  contextOf: (modelId: string) => number
  /** Loads a model of the registry, so that its first answer does not wait. */
  load: (modelId: string) => Promise<void>
}

const PATIENCE_MS = 10 * 60_000
/** Longest wait for an answer that Claude can give, too. */
const WITH_TEACHER_MS = 2 * 60_000
const HOLD_MS = 20_000

/** The user's own model at work in Claude Code: which one, whether it may be used, and its answers. */
export function createRouter(
  core: Core,
  {
    mod,
    readCalls,
    patienceMs = PATIENCE_MS,
    upstream,
    token,
    forced,
    paceOf,
    prices,
    runs,
    patchOf,
    waitMs,
    checksOf,
    verdictOf,
    filesOf,
    otherTeacher,
    examined,
    guard,
    passedResults,
    isCaptured,
    ...deps
  }: RouterDeps,
) {
  let client: string | null = null
  let isClosed = false
  let watches = false
  const proofs = createProofs(core, { filesOf, client: () => client })
  const students = createStudents(core, { ...deps, proofs, client: () => client })
  const { settings } = deps
  const routing = createRouting(core, { settings, student: students.chosen, forced, proxy: () => proxy.status() })
  const decisions = createDecisions(core, {
    prices,
    studentUsd(modelId, usage) {
      const chosen = students.chosen()
      if (chosen?.modelId !== modelId) return null
      if (!deps.endpoints.find(chosen.endpoint, chosen.model).isOutside) return 0
      return chosen.model === undefined ? null : costOfAnswer(chosen.model, usage, prices(), 'own')
    },
  })
  const shadow = createShadowAnswers(core, { examined })
  const figures = createFigures(core, {
    shadow() {
      const student = students.chosen()
      return student && { modelId: student.modelId, examined: [...examined().keys()] }
    },
    mod: () => steps.stats(),
  })
  /** Of the proxy, and of what is answered here. */
  const decided = (decision: RouteDecision): void => {
    figures.decided(decision)
    if (decision.student) routing.answered(decision.student)
  }
  const contextOf = ({ endpoint }: ChosenStudent) =>
    endpoint.kind === 'model' ? deps.contextOf(endpoint.modelId) : settings().studentContext || null
  const patience = { alone: patienceMs, withTeacher: Math.min(patienceMs, WITH_TEACHER_MS) }
  const generate = createGenerate({
    now: core.now,
    decide: (request) => routing.decide(request),
    chosen: students.chosen,
    endpoints: deps.endpoints,
    readCalls,
    contextOf,
    patienceMs: patience,
    otherTeacher,
    decisions,
    decided,
  })
  const proxy = createProxy(core, {
    decisions,
    decided,
    shadowAnswers: shadow,
    passedResults,
    isCaptured,
    settings,
    upstream,
    token,
    chosen: students.chosen,
    modelOf: students.modelOf,
    decide: (request) => routing.decide(request),
    barrier: () => routing.barrier(),
    endpoints: deps.endpoints,
    readCalls,
    contextOf,
    patienceMs: patience,
    holdMs: HOLD_MS,
  })
  const savings = createSavings(core, { student: students.chosen, examsOf: routing.examsOf, paceOf, prices })
  const sandboxWork = createSandboxWork(core, { runs, patchOf, waitMs })
  const allowRules = createGymRules({ dataDir: mod.dataDir, settingsFile: mod.settingsFile, checksOf, verdictOf })
  const steps = createModSteps(core)
  const parts = createClientParts(core, { mod, settings, token, upstream })
  const proxyChanged = (): void => {
    void proxy.changed()
    parts.proxyChanged()
  }
  const rules = createRules(core, { settings, prices, file: rulesFileOf(mod.studentFile), mod: () => parts.mod.report() })
  const wire = (student: ChosenStudent | null) => {
    if (!student) return null
    const { endpoint: _endpoint, model: _model, ...rest } = student
    return rest
  }
  /** From the start of the app, and when a model is chosen or may be used. */
  let loads: string | null = null
  const loadWhatIsUsed = (student: ChosenStudent | null): void => {
    const endpoint = watches && settings().servedAtStart && student?.isUsable ? student.endpoint : null
    const id = endpoint?.kind === 'model' ? endpoint.modelId : null
    if (id === loads) return
    loads = id
    if (id !== null)
      void deps.load(id).catch((error: unknown) => core.log.warn({ err: error, model: id }, 'The model in use was not loaded'))
  }
  /** Tells sessions that start from now on which model answers; without one they have no gym agent. */
  const tell = (): void => {
    if (core.readsOnly) return
    rules.tell()
    const student = students.chosen()
    if (student?.certificate && client === null && watches) void lookAtClient()
    loadWhatIsUsed(student)
    if (!student?.isUsable) return fs.rmSync(mod.studentFile, { force: true })
    core.tx(() => students.remember(student))
    fs.mkdirSync(path.dirname(mod.studentFile), { recursive: true, mode: 0o700 })
    const content = { model: student.name, label: student.label, work: settings().work }
    writeFileAtomicSync(mod.studentFile, `${JSON.stringify(content)}\n`, { mode: 0o600 })
  }
  const tellAgain = (): void => {
    try {
      tell()
    } catch (error) {
      core.log.error({ err: error }, 'The mod of Claude Code was not told which model answers')
    }
  }
  const sawClient = (version: string | null): void => {
    if (version === null || version === client || isClosed) return
    client = version
    tellAgain()
  }
  /** What a verdict is about includes the client's version. A start without a verdict asks no client. */
  const lookAtClient = () =>
    mod.clientVersion().then(sawClient, (error: unknown) => core.log.warn({ err: error }, 'The version of Claude Code was not read'))
  const unfollow = core.events.subscribe(({ type }) => {
    if (type === 'model:changed' || type === 'model:removed' || type === 'settings:changed') tellAgain()
  })
  const stage: Stage = {
    name: 'router',
    routes: [
      implement(routes.getRouter, async () => {
        const report = await parts.mod.report()
        sawClient(report.clientVersion)
        return { student: wire(students.chosen()), mod: report }
      }),
      ...parts.routes,
      implement(routes.answerStep, ({ body, signal }) => {
        sawClient(body.version)
        return steps.measured(students.chosen()?.modelId ?? null, body, () =>
          answerStep(
            {
              chosen: students.chosen,
              modelOf: students.modelOf,
              endpoints: deps.endpoints,
              readCalls,
              patienceMs,
              inPlace: () => settings().work === 'in-place',
              work: (...args) => sandboxWork.work(...args),
            },
            body,
            signal,
          ),
        )
      }),
      ...routingRoutes(routing, (id, success) => {
        const decision = decisions.report(id, success)
        figures.decided(decision)
        return decision
      }),
      implement(generateRoute, ({ body, signal }) => generate(body, signal)),
      ...proxyRoutes(decisions),
      ...shadowRoutes(shadow),
      ...figures.routes,
      implement(routes.getModelWork, ({ params }) => steps.work(params.id)),
      implement(routes.showGymRules, ({ body }) => allowRules.show(body.directory)),
      implement(routes.setGymRules, ({ body }) => allowRules.set(body.directory, body.written)),
      ...savingsRoutes(savings),
      ...rules.routes,
    ],
    forget(trace) {
      shadow.forget(trace)
      decisions.forget(trace)
    },
    start({ watch }) {
      watches = watch
      tell()
      return watch ? proxy.start() : undefined
    },
    stop: () => proxy.stop(),
    close() {
      isClosed = true
      unfollow()
      figures.close()
      sandboxWork.close()
    },
    settings: [{ select: ({ router }) => [router.proxy, router.proxyPort], onChange: proxyChanged }],
  }
  /** How the gym agent asks its model in runs of agents: as in Claude Code. */
  const gymTurns: GymTurns = {
    next: ({ messages, place }, model, signal) =>
      nextTurn({ readCalls }, { clientVersion: TOOLS_OF_CLIENT, task: null, messages, place }, model, signal),
    nameOf: (endpoint, model) => students.nameFor(endpoint, model),
  }
  return {
    stage,
    answeredBy: (name: string) => students.answeredBy(name),
    gymTurns,
    mod: parts.mod,
    shadow: { undecided: shadow.undecided, judgedBy: shadow.judgedBy, pairsOf: shadow.pairsOf },
    /** For the system check. */
    doctor: async () =>
      doctorChecks({
        mod: await parts.mod.report(),
        student: wire(students.chosen()),
        proxy: await proxy.status(),
        isClientSent: parts.isClientSent(),
        guard: await guard(),
        settingsFile: mod.settingsFile,
      }),
  }
}
