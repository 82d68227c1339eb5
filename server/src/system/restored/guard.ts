import { lookup } from '#contracts/lookup.ts'
import type { Implementation } from '#contracts/derive/route.ts'
import { RESTORED_KIND_NAMES, type RestoredKind } from '#contracts/entities/restored.ts'
import { AppError } from '#contracts/errors.ts'
import { allowRestoredItem } from '#contracts/routes/system.ts'
import { WAITING_ID } from '#server/db/parks.ts'
import type { RestoredItems } from '#server/db/restored-items.ts'

/** Calls that delete a row, which then no longer waits. */
const DELETES: Readonly<Record<string, RestoredKind>> = lookup({
  '/api/tasks/{id}': 'agent-run',
  '/api/rollouts/{id}': 'rollouts',
  '/api/training/{id}': 'training-run',
  '/api/models/{id}': 'model',
})

/**
 * Refuses every call that would act on a row of a restored backup before the user chose "Use again": in its path, or anywhere in its
 * body, it has the id of the row. Reading is allowed, and so are PATCH, which only annotates, and DELETE.
 */
export const guardRestored = (implementations: readonly Implementation[], items: RestoredItems): Implementation[] =>
  implementations.map((implementation) => {
    const { method, name, path } = implementation.route
    if (method === 'get' || method === 'patch' || name === allowRestoredItem.name) return implementation
    if (method === 'delete') {
      const kind = DELETES[path]
      return kind === undefined ? implementation : forgetting(implementation, items, kind)
    }
    return {
      ...implementation,
      handle(input) {
        if (items.any()) refuseWaiting([input.params, input.body], items)
        return implementation.handle(input)
      },
    }
  })

const forgetting = (implementation: Implementation, items: RestoredItems, kind: RestoredKind): Implementation => ({
  ...implementation,
  async handle(input) {
    const output = await implementation.handle(input)
    items.remove((input.params as unknown as { id: string }).id, kind) // the path has it
    return output
  },
})

function refuseWaiting(value: unknown, items: RestoredItems): void {
  if (typeof value === 'string' && WAITING_ID.test(value)) {
    const [item] = items.of(value)
    if (!item) return
    throw new AppError('restored_waits', {
      message: `The ${RESTORED_KIND_NAMES[item.kind][0]} "${item.title}" comes from a restored backup and is not used until you allow it.`,
      hint: `Choose "Use again" on its page or in Settings, or run \`bashgym restored use ${item.id}\`.`,
      details: { item },
    })
  }
  if (typeof value === 'object' && value !== null)
    for (const [key, entry] of Object.entries(value)) {
      refuseWaiting(key, items)
      refuseWaiting(entry, items)
    }
}
