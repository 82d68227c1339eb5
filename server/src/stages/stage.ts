import type { Implementation } from '#contracts/derive/route.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { Health, Stats } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'
import type { StreamImplementation } from '#server/streams/source.ts'

/** Calls `act` when what `select` picks from the settings is another value than before. */
export interface SettingHook {
  select: (settings: Settings) => unknown
  act: () => void
}

/** What a stage is to the rest of the server. Its tables are in its `schema.ts`; what other stages may ask of it, in its `index.ts`. */
export interface Stage {
  name: string
  routes: readonly Implementation[]
  streams?: readonly StreamImplementation[]
  /** In the transaction that forgets a session: removes everything the stage has of it. Null: it has nothing of sessions. */
  forget: ((traceId: string) => void) | null
  /** Without `watch` nothing new is begun: a command uses the data directory and ends. */
  start?: (options: { watch: boolean }) => void | Promise<void>
  /** Takes no more in. All stages have stopped before the first is closed. */
  stop?: () => void | Promise<void>
  close?: () => void | Promise<void>
  settings?: readonly SettingHook[]
  figures?: () => Partial<Stats> | Promise<Partial<Stats>>
  checks?: () => Partial<Health['checks']>
}

/** All stages as one. They start in the order given, and end in the reverse one. */
export function combine({ events, log }: Pick<Core, 'events' | 'log'>, stages: readonly Stage[], settings: () => Settings) {
  const backwards = stages.toReversed()
  const hooks = stages
    .flatMap((stage) => stage.settings ?? [])
    .map((hook) => ({ ...hook, picked: JSON.stringify(hook.select(settings())) }))
  const unfollow = events.subscribe((message) => {
    if (message.type !== 'settings:changed') return
    for (const hook of hooks) {
      const picked = JSON.stringify(hook.select(message.payload.settings))
      if (picked === hook.picked) continue
      hook.picked = picked
      hook.act()
    }
  })
  return {
    routes: stages.flatMap((stage) => stage.routes),
    streams: stages.flatMap((stage) => stage.streams ?? []),
    /** In the transaction that removes a session. */
    forget(traceId: string): void {
      for (const stage of stages) stage.forget?.(traceId)
    },
    async start(options: { watch: boolean }): Promise<void> {
      for (const stage of stages) await stage.start?.(options)
    },
    /** One stage that cannot end keeps no other from ending; the first failure is thrown at the end. */
    async close(): Promise<void> {
      unfollow()
      const failures: unknown[] = []
      for (const [step, name] of [
        ...backwards.map((stage) => [stage.stop, stage.name] as const),
        ...backwards.map((stage) => [stage.close, stage.name] as const),
      ]) {
        try {
          await step?.()
        } catch (error) {
          log.error({ err: error, stage: name }, 'A stage could not be closed')
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
    figures: async (): Promise<Partial<Stats>> =>
      Object.assign({}, ...(await Promise.all(stages.map(async (stage) => stage.figures?.())))) as Partial<Stats>,
    checks: (): Partial<Health['checks']> => Object.assign({}, ...stages.map((stage) => stage.checks?.())) as Partial<Health['checks']>,
  }
}
