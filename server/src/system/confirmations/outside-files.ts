import fs from 'node:fs'
import path from 'node:path'
import type { Implementation, Input, Route } from '#contracts/derive/route.ts'
import type { ConfirmedChange } from '#contracts/entities/confirmation.ts'
import * as captureRoutes from '#contracts/routes/capture.ts'
import * as checkRoutes from '#contracts/routes/checks.ts'
import * as datasetRoutes from '#contracts/routes/datasets.ts'
import * as shellTaskRoutes from '#contracts/routes/shell-tasks.ts'
import * as matrixRoutes from '#contracts/routes/training-matrix.ts'
import * as trainingRoutes from '#contracts/routes/training.ts'
import type { Config } from '#server/config.ts'
import { isWithin } from '#server/within.ts'
import type { Confirmations } from './confirmations.ts'

type Places = Pick<Config, 'userHome' | 'dataDir'>
/** Fields of a call that contain paths; others are passed on unchanged. */
type Body = Record<string, string | string[] | undefined>

/** Calls that read files whose paths the caller chooses, with the fields that hold them. */
const READ = new Map<string, readonly string[]>([
  reading(datasetRoutes.peekFile, 'file'),
  reading(datasetRoutes.importRows, 'file'),
  reading(datasetRoutes.buildDataset, 'against'),
  reading(trainingRoutes.planRun, 'file', 'valFile'),
  reading(trainingRoutes.startRun, 'file', 'valFile'),
  reading(matrixRoutes.planMatrix, 'file', 'valFile'),
  reading(matrixRoutes.startMatrix, 'file', 'valFile'),
  reading(trainingRoutes.dryRun, 'file', 'valFile'),
  reading(shellTaskRoutes.importShellTasks, 'file'),
  reading(checkRoutes.findChecks, 'directory'),
  reading(checkRoutes.runChecks, 'directory'),
])

function reading<R extends Route>(route: R, ...fields: (keyof Input<R>['body'] & string)[]): [string, readonly string[]] {
  return [route.name, fields]
}

/**
 * A session key alone reads files in the user's home that are not hidden; others have to be confirmed, for several calls
 * in a row. The call gets the paths without links on which this was decided: a link that is changed afterwards leads nowhere.
 */
export const guardFiles = (implementations: readonly Implementation[], confirmations: Confirmations, places: Places): Implementation[] =>
  implementations.map((implementation) => {
    const { name } = implementation.route
    const fields = READ.get(name)
    if (fields)
      return {
        ...implementation,
        handle(input) {
          const body = bodyOf(input)
          const given = [...new Set(fields.flatMap((field) => body[field] ?? []))]
          const real = new Map(given.map((file) => [file, realPath(file)])) // resolved once: it may lead elsewhere the next time
          const changes = given.filter((file) => isElsewhere(real.get(file) ?? null, places)).map(readRows)
          confirmations.require(input.caller, changes, { isRepeatable: true, exactly: JSON.stringify([...real]) })
          const handedOn = (file: string) => real.get(file) ?? file
          for (const field of fields) {
            const value = body[field]
            if (value !== undefined) body[field] = Array.isArray(value) ? value.map(handedOn) : handedOn(value)
          }
          return implementation.handle({ ...input, body: body as never }) // the fields that the route parsed
        },
      }
    if (name !== captureRoutes.startImport.name) return implementation
    // the app imports from the agents' own folders only; the command line names paths, as the owner
    return {
      ...implementation,
      handle(input) {
        const changes = [bodyOf(input)['paths'] ?? []].flat().map((to) => ({ what: 'Import sessions from', from: null, to }))
        confirmations.require(input.caller, changes, { isRepeatable: true })
        return implementation.handle(input)
      },
    }
  })

/** A copy; its route has parsed it. */
const bodyOf = ({ body }: { body: unknown }): Body => ({ ...(body as Body) })

const readRows = (file: string): ConfirmedChange => ({ what: 'Read rows from a file', from: null, to: file })

/** Outside the home, hidden, or ours. What cannot be opened needs no confirmation: the call refuses it. */
function isElsewhere(place: string | null, { userHome, dataDir }: Places): boolean {
  if (place === null) return false
  const below = path.relative(realPath(userHome) ?? userHome, place).split(path.sep)
  return isWithin(realPath(dataDir) ?? dataDir, place) || below.some((name) => name.startsWith('.')) // ".." is outside
}

function realPath(file: string): string | null {
  try {
    return path.isAbsolute(file) ? fs.realpathSync(file) : null
  } catch {
    return null
  }
}
