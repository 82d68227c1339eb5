import fs from 'node:fs'
import path from 'node:path'
import type { BatchPlan } from '#contracts/entities/batch.ts'
import { isWithin } from '#server/within.ts'
import { type Context, UsageError } from '../command.ts'

const MAX_PLACES = 3

/**
 * Shows which folders a file of tasks has copied into sandboxes, and so to a model. Asks if one is hidden or not below the folder of
 * the file, because the file may be a stranger's; `--yes` answers.
 */
export async function confirmFolders(
  context: Context,
  { file, folders, placeOf }: { file: string; folders: BatchPlan['folders']; placeOf: (key: string) => string },
): Promise<void> {
  if (folders.length === 0) return
  const base = fs.realpathSync(path.dirname(file))
  const isUnexpected = ({ folder }: BatchPlan['folders'][number]) => !isWithin(base, folder) || /(?:^|\/)\./.test(path.relative(base, folder)) // prettier-ignore
  const unexpected = folders.filter(isUnexpected)
  context.note('These folders will be copied into sandboxes:')
  for (const one of folders) {
    const places = one.keys.slice(0, MAX_PLACES).map(placeOf).join(', ')
    const more = one.keys.length - MAX_PLACES
    const why = unexpected.includes(one) ? ` – ${isWithin(base, one.folder) ? 'hidden' : `not in ${base}`}` : ''
    context.note(`  ${one.folder} (${places}${more > 0 ? ` and ${more} more` : ''})${why}`)
  }
  if (unexpected.length === 0 || context.values['yes'] === true) return
  if (!(await context.ask(`Copy ${unexpected.length === 1 ? 'the folder that is' : `the ${unexpected.length} folders that are`} hidden or elsewhere?`))) throw new UsageError('Nothing was started.') // prettier-ignore
}
