import fs from 'node:fs'
import path from 'node:path'
import type { Implementation, Input, Route } from '#contracts/derive/route.ts'
import type { ConfirmedChange } from '#contracts/entities/confirmation.ts'
import * as captureRoutes from '#contracts/routes/capture.ts'
import * as datasetRoutes from '#contracts/routes/datasets.ts'
import * as trainingRoutes from '#contracts/routes/training.ts'
import type { Config } from '#server/config.ts'
import { isWithin } from '#server/within.ts'
import type { Confirmations } from './confirmations.ts'

type Homes = Pick<Config, 'userHome' | 'home'>
type Reading = (body: unknown, homes: Homes) => ConfirmedChange[]

/** Calls that read files whose paths the caller chooses. */
const READ = new Map<string, Reading>([
  reading(datasetRoutes.peekFile, ({ file }, homes) => rows([file], homes)),
  reading(datasetRoutes.importRows, ({ file }, homes) => rows([file], homes)),
  reading(datasetRoutes.buildDataset, ({ against }, homes) => rows(against, homes)),
  ...[trainingRoutes.planRun, trainingRoutes.startRun, trainingRoutes.dryRun].map((route) =>
    reading(route, ({ file, valFile }, homes) => rows([file, valFile], homes)),
  ),
  // the app imports from the agents' own folders only; the command line names paths, as the owner
  reading(captureRoutes.startImport, ({ paths = [] }) => paths.map((to) => ({ what: 'Import sessions from', from: null, to }))),
])

function reading<R extends Route>(route: R, changes: (body: Input<R>['body'], homes: Homes) => ConfirmedChange[]): [string, Reading] {
  return [route.name, changes as Reading] // the body was parsed by that route
}

/** A session key alone reads files in the user's home that are not hidden; others have to be confirmed, for several calls in a row. */
export const guardFiles = (implementations: readonly Implementation[], confirmations: Confirmations, homes: Homes): Implementation[] =>
  implementations.map((implementation) => {
    const changes = READ.get(implementation.route.name)
    if (!changes) return implementation
    return {
      ...implementation,
      handle(input) {
        confirmations.require(input.caller, changes(input.body, homes), { isRepeatable: true })
        return implementation.handle(input)
      },
    }
  })

const rows = (files: readonly (string | undefined)[], homes: Homes): ConfirmedChange[] =>
  files.flatMap((file) => (file !== undefined && isElsewhere(file, homes) ? [{ what: 'Read rows from a file', from: null, to: file }] : []))

/** Outside the home, hidden, or ours. What cannot be opened needs no confirmation: the call refuses it. */
function isElsewhere(file: string, { userHome, home }: Homes): boolean {
  if (!path.isAbsolute(file)) return false
  try {
    const [place, own] = [fs.realpathSync(file), fs.realpathSync(home)]
    const below = path.relative(fs.realpathSync(userHome), place).split(path.sep)
    return isWithin(own, place) || below.some((name) => name.startsWith('.')) // ".." is outside
  } catch {
    return false
  }
}
