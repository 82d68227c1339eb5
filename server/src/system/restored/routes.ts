import { implement, type Implementation } from '#contracts/derive/route.ts'
import { RESTORED_KIND_NAMES, type RestoredItem, type RestoredKind } from '#contracts/entities/restored.ts'
import { AppError } from '#contracts/errors.ts'
import * as routes from '#contracts/routes/system.ts'
import type { Core } from '#server/core.ts'
import { isShownCompletely } from '#server/db/parks.ts'
import type { RestoredItems } from '#server/db/restored-items.ts'
import type { Confirmations } from '../confirmations/confirmations.ts'

export interface RestoredDeps {
  items: RestoredItems
  confirmations: Confirmations
  /** Starts a row that was queued or running when the backup was made. Undefined for kinds that are never active. */
  startAgain: (kind: RestoredKind) => ((id: string) => unknown) | undefined
  /** Tells other windows that the list has changed. */
  changed: () => void
}

export function restoredRoutes({ tx }: Pick<Core, 'tx'>, { items, confirmations, startAgain, changed }: RestoredDeps): Implementation[] {
  /** Ids that are being used again, so that a second click starts nothing twice. */
  const starting = new Set<string>()
  return [
    implement(routes.listRestoredItems, ({ query }) => items.list(query)),
    implement(routes.getRestoredItem, ({ params: { id } }) => {
      const waiting = items.of(id)
      if (waiting.length === 0) throw notWaiting(id)
      return { items: waiting }
    }),
    implement(routes.allowRestoredItem, async ({ params: { id }, caller }) => {
      const waiting = items.of(id)
      if (waiting.length === 0 || starting.has(id)) throw notWaiting(id)
      if (!waiting.every(({ names }) => isShownCompletely(names)))
        throw new AppError('restored_waits', {
          message: 'It names more than can be shown to you, so it cannot be used again.',
          hint: 'It stays readable. If it is yours, make it anew; else delete it.',
        })
      confirmations.require(caller, waiting.flatMap(questionsOf), { title: 'Confirm using this again' })
      const toStart = waiting.filter(({ wasActive }) => wasActive)
      starting.add(id)
      try {
        for (const { kind } of toStart) {
          const start = startAgain(kind)
          if (!start) throw new Error(`No stage starts a restored ${kind} again.`)
          await start(id)
        }
        tx(() => {
          for (const { kind } of waiting) items.remove(id, kind)
          changed()
        })
      } finally {
        starting.delete(id)
      }
      return { items: waiting, started: toStart.length > 0 }
    }),
  ]
}

const notWaiting = (id: string) => new AppError('not_found', { message: `Nothing of a restored backup with the id "${id}" is waiting.` })

/** What the owner has to confirm outside the browser. */
const questionsOf = ({ kind, title, names }: RestoredItem) => [
  { what: `Use again, from a restored backup: ${RESTORED_KIND_NAMES[kind][0]}`, from: null, to: title },
  ...names.map(({ what, value }) => ({ what, from: null, to: value })),
]
