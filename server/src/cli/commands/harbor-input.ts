import fs from 'node:fs'
import path from 'node:path'
import type { BatchTask } from '#contracts/entities/batch.ts'
import { harborFolders, readHarborTask } from '#server/adapters/harbor/read.ts'

/** The default agent for Harbor tasks, because no other agent can run in the machine of such a task. */
export const HARBOR_AGENT = 'shell' as const

/** The run request for a Harbor task, and the task's time limit for the agent. */
export async function harborRequest(folder: string) {
  const { instruction, name, limits } = await readHarborTask(folder)
  const timeSec = Math.min(Math.max(Math.ceil(limits.agentSec), 1), 86_400)
  return { request: { prompt: instruction, title: name.slice(0, 200), harbor: folder }, timeSec }
}

export const isFolder = (file: string): boolean => fs.statSync(file, { throwIfNoEntry: false })?.isDirectory() === true

/** The Harbor tasks in a folder, keyed by their folder names. */
export const harborTasks = async (folder: string): Promise<BatchTask[]> =>
  Promise.all(
    (await harborFolders(path.resolve(folder))).map(async (one) => ({ key: path.basename(one), ...(await harborRequest(one)).request })),
  )
