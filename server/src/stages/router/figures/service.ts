import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { RouteDecision, RouteStats } from '#contracts/entities/routing.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { Core } from '#server/core.ts'
import type { ShadowFiguresOf } from '../shadow/figures.ts'
import type { FiguresInput } from './figures.job.ts'

const JOB = new URL('./figures.job.ts', import.meta.url)
/** Figures over all requests are told at most this often, and for at most this part of the time. */
const EVERY_MS = 2000
const LOAD = 0.1

export interface FiguresDeps {
  /** Null: no model is chosen. */
  shadow: () => ShadowFiguresOf | null
  mod: () => RouteStats['mod']
}

/** The figures of the router, and the live stream of them. */
export function createFigures(core: Pick<Core, 'workers' | 'paths' | 'events' | 'now' | 'log'>, { shadow, mod }: FiguresDeps) {
  let waitUntil = -Infinity
  let next: NodeJS.Timeout | null = null
  let isClosed = false

  async function read(): Promise<RouteStats> {
    const input: FiguresInput = { database: core.paths.database, now: core.now(), shadow: shadow() }
    const figures = await core.workers.run<Omit<RouteStats, 'mod'>>(JOB, input, { lane: 'query' })
    return { ...figures, mod: mod() }
  }
  async function tell(): Promise<void> {
    next = null // what is decided from here on is told by the next one
    const startedAt = performance.now()
    waitUntil = startedAt + EVERY_MS
    try {
      const stats = await read()
      if (!isClosed) core.events.passing('router:stats', { stats })
    } catch (error) {
      if (!isClosed) core.log.warn({ err: error }, 'the figures of the router were not read')
    } finally {
      waitUntil = Math.max(waitUntil, startedAt + (performance.now() - startedAt) / LOAD)
    }
  }
  return {
    routes: [implement(routes.getRouteStats, read)] satisfies Implementation[],
    /** A request was decided, or its outcome is known. */
    decided(decision: RouteDecision): void {
      core.events.passing('router:decision', { decision })
      if (next !== null || isClosed) return
      next = setTimeout(() => void tell(), Math.max(0, waitUntil - performance.now())).unref()
    },
    close(): void {
      isClosed = true
      if (next) clearTimeout(next)
    },
  }
}
