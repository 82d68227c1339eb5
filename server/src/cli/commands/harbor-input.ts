import fs from 'node:fs'
import path from 'node:path'
import type { BatchTask } from '#contracts/entities/batch.ts'
import { harborFolders, readHarborTask } from '#server/adapters/harbor/read.ts'

/** Who works where nobody is named: no other agent can, in the machine of such a task. */
export const HARBOR_AGENT = 'shell' as const

/** What a run of a task of Harbor is asked, and the time that the task gives its agent. */
export function harborRequest(folder: string) {
  const { instruction, name, limits } = readHarborTask(folder)
  const timeSec = Math.min(Math.max(Math.ceil(limits.agentSec), 1), 86_400)
  return { request: { prompt: instruction, title: name.slice(0, 200), harbor: folder }, timeSec }
}

export const isFolder = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true

/** The tasks of a folder for a batch, known by the names of their folders. */
export const harborTasks = (folder: string): BatchTask[] =>
  harborFolders(path.resolve(folder)).map((one) => ({ key: path.basename(one), ...harborRequest(one).request }))
