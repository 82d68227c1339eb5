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
/** The fields of a body that contain paths. */
type Body = Record<string, string | string[] | undefined>

/** Calls that read files whose paths the caller chooses, with the fields that contain the paths. */
const PATH_FIELDS = new Map<string, readonly string[]>([
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
 * With only a session key, a call may read files that are in the user's home folder and not hidden; others must be
 * confirmed. The handler gets the resolved paths that were checked, so changing a link afterwards has no effect.
 */
export const guardFiles = (implementations: readonly Implementation[], confirmations: Confirmations, places: Places): Implementation[] =>
  implementations.map((implementation) => {
    const { name } = implementation.route
    const fields = PATH_FIELDS.get(name)
    if (fields)
      return {
        ...implementation,
        handle(input) {
          const body = bodyOf(input)
          const files = [...new Set(fields.flatMap((field) => body[field] ?? []))]
          const realPaths = new Map(files.map((file) => [file, realPath(file)])) // resolved once, because links may change
          const changes = files.filter((file) => needsConfirmation(realPaths.get(file) ?? null, places)).map(readRows)
          confirmations.require(input.caller, changes, { isRepeatable: true, exactly: JSON.stringify([...realPaths]) })
          const resolve = (file: string) => realPaths.get(file) ?? file
          for (const field of fields) {
            const value = body[field]
            if (value !== undefined) body[field] = Array.isArray(value) ? value.map(resolve) : resolve(value)
          }
          return implementation.handle({ ...input, body: body as never }) // same fields as the parsed body
        },
      }
    if (name !== captureRoutes.startImport.name) return implementation
    // the app imports only from the agents' own folders; the command line may choose paths, because it calls as the owner
    return {
      ...implementation,
      handle(input) {
        const changes = [bodyOf(input)['paths'] ?? []].flat().map((to) => ({ what: 'Import sessions from', from: null, to }))
        confirmations.require(input.caller, changes, { isRepeatable: true })
        return implementation.handle(input)
      },
    }
  })

/** A copy of the body, which the route already validated. */
const bodyOf = ({ body }: { body: unknown }): Body => ({ ...(body as Body) })

const readRows = (file: string): ConfirmedChange => ({ what: 'Read rows from a file', from: null, to: file })

/** True for a path outside the home folder, a hidden one, or one in our data directory. False for an unreadable one, which the call refuses. */
function needsConfirmation(place: string | null, { userHome, dataDir }: Places): boolean {
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
