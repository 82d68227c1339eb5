import fs from 'node:fs'
import path from 'node:path'
import { implement } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/router.ts'
import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { createClientParts } from './client/index.ts'
import { checksOf } from './doctor.ts'
import type { ModInstallerOptions } from './mod/installer.ts'
import { createProofs, type ProofDeps } from './proof.ts'
import { proxyRoutes } from './proxy/routes.ts'
import { createProxy, type ProxyDeps } from './proxy/service.ts'
import { routingRoutes } from './routing/routes.ts'
import { createRouting, type RoutingDeps } from './routing/service.ts'
import { answerStep, type StepDeps } from './step.ts'
import { createModSteps } from './steps/store.ts'
import { type ChosenStudent, createStudents, type StudentDeps } from './student.ts'

export { createModInstaller, type ModInstallerOptions, studentFile } from './mod/installer.ts'

export interface RouterDeps
  extends
    Omit<StudentDeps, 'settings' | 'proofs' | 'client'>,
    Pick<ProofDeps, 'filesOf'>,
    Pick<StepDeps, 'readCalls'>,
    Pick<ProxyDeps, 'upstream' | 'token'>,
    Pick<RoutingDeps, 'forced' | 'settings'> {
  mod: ModInstallerOptions
  patienceMs?: number
}

const PATIENCE_MS = 10 * 60_000

/** The user's own model at work in Claude Code: which one, whether it may be used, and its answers. */
export function createRouter(
  core: Core,
  { mod, readCalls, patienceMs = PATIENCE_MS, upstream, token, forced, filesOf, ...deps }: RouterDeps,
) {
  let client: string | null = null
  let isClosed = false
  let watches = false
  const proofs = createProofs(core, { filesOf, client: () => client })
  const students = createStudents(core, { ...deps, proofs, client: () => client })
  const { settings } = deps
  const routing = createRouting(core, { settings, student: students.chosen, forced, proxy: () => proxy.status() })
  const proxy = createProxy(core, { settings, upstream, token })
  const steps = createModSteps(core)
  const parts = createClientParts(core, { mod, settings, token, upstream })
  const proxyChanged = (): void => {
    void proxy.changed()
    parts.proxyChanged()
  }
  const wire = (student: ChosenStudent | null) => {
    if (!student) return null
    const { endpoint: _endpoint, model: _model, ...rest } = student
    return rest
  }
  /** Tells sessions that start from now on which model answers; without one they have no gym agent. */
  const tell = (): void => {
    if (core.readsOnly) return
    const student = students.chosen()
    if (student?.certificate && client === null && watches) void lookAtClient()
    if (!student?.isUsable) return fs.rmSync(mod.studentFile, { force: true })
    core.tx(() => students.remember(student))
    const part = `${mod.studentFile}.part`
    fs.mkdirSync(path.dirname(mod.studentFile), { recursive: true, mode: 0o700 })
    fs.writeFileSync(part, `${JSON.stringify({ model: student.name, label: student.label })}\n`, { mode: 0o600 })
    fs.renameSync(part, mod.studentFile)
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
        const report = await parts.report()
        sawClient(report.clientVersion)
        return { student: wire(students.chosen()), mod: report }
      }),
      ...parts.routes,
      implement(routes.answerStep, ({ body, signal }) => {
        sawClient(body.version)
        return steps.measured(students.chosen()?.modelId ?? null, body, () =>
          answerStep(
            { chosen: students.chosen, modelOf: students.modelOf, endpoints: deps.endpoints, readCalls, patienceMs },
            body,
            signal,
          ),
        )
      }),
      ...routingRoutes(routing),
      ...proxyRoutes(proxy, () => steps.stats()),
      implement(routes.getModelWork, ({ params }) => steps.work(params.id)),
    ],
    forget: null,
    start({ watch }) {
      watches = watch
      tell()
      return watch ? proxy.start() : undefined
    },
    stop: () => proxy.stop(),
    close() {
      isClosed = true
      unfollow()
    },
    settings: [{ select: ({ router }) => [router.proxy, router.proxyPort], onChange: proxyChanged }],
  }
  return {
    stage,
    answeredBy: (name: string) => students.answeredBy(name),
    /** For the system check. */
    doctor: async () =>
      checksOf({
        mod: await parts.report(),
        student: wire(students.chosen()),
        proxy: await proxy.status(),
        settingsFile: mod.settingsFile,
      }),
  }
}
