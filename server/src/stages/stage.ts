import type { Implementation, StoredKind } from '#contracts/derive/route.ts'
import type { RestoredKind } from '#contracts/entities/restored.ts'
import type { Settings } from '#contracts/entities/settings.ts'
import type { Health, Stats } from '#contracts/entities/system.ts'
import type { Core } from '#server/core.ts'
import type { StreamImplementation } from '#server/streams/source.ts'
import type { z } from 'zod'

/** Calls `onChange` when the value that `select` returns has changed. */
export interface SettingHook {
  select: (settings: Settings) => unknown
  onChange: () => void
}

/** Finds what a stored row names, as values with their schema. Throws if the row does not exist. */
export type StoredPlaces = Record<StoredKind, (call: { params: unknown; body: unknown }) => StoredValue[] | Promise<StoredValue[]>>

/** A value in which places are found by the marks of its schema. */
export interface StoredValue {
  schema: z.ZodType
  value: unknown
}

/** What a stage adds to the server. Its tables are in its `schema.ts`; functions for later stages are in its `index.ts`. */
export interface Stage {
  name: string
  routes: readonly Implementation[]
  /** What the rows of this stage name, for the rule about places. */
  stored?: Partial<StoredPlaces>
  streams?: readonly StreamImplementation[]
  /** Removes everything about a session, in the transaction that forgets it. Null if the stage stores nothing about sessions. */
  forget: ((traceId: string) => void) | null
  /** Without `watch`, a command uses the data directory briefly, so no new background work may start. */
  start?: (options: { watch: boolean }) => void | Promise<void>
  /** Stops accepting work. All stages are stopped before the first is closed. */
  stop?: () => void | Promise<void>
  close?: () => void | Promise<void>
  settings?: readonly SettingHook[]
  /** Starts a row of a restored backup that was queued or running, by kind; called when the user chooses "Use again". */
  startAgain?: Readonly<Partial<Record<RestoredKind, (id: string) => unknown>>>
  figures?: () => Partial<Stats> | Promise<Partial<Stats>>
  checks?: () => Partial<Health['checks']>
}

/** Combines all stages. They start in the given order and end in reverse order. */
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
      hook.onChange()
    }
  })
  return {
    routes: stages.flatMap((stage) => stage.routes),
    streams: stages.flatMap((stage) => stage.streams ?? []),
    startAgain: (kind: RestoredKind) => stages.map((stage) => stage.startAgain?.[kind]).find((start) => start !== undefined),
    stored: Object.assign({}, ...stages.map((stage) => stage.stored)) as Partial<StoredPlaces>,
    /** Must be called in the transaction that removes a session. */
    forget(traceId: string): void {
      for (const stage of stages) stage.forget?.(traceId)
    },
    async start(options: { watch: boolean }): Promise<void> {
      for (const stage of stages) await stage.start?.(options)
    },
    /** Closes every stage even if one fails; the first failure is thrown afterwards. */
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
