/** Builds images. The build steps have no network, so the base image must already exist. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { NotRun } from '../sandbox/types.ts'
import { callEngine } from './client.ts'

export interface ImageToBuild {
  name: string
  /** A tar archive with a Dockerfile at its root. */
  context: Readable
  memoryBytes: number
  signal: AbortSignal
}

const TAIL_LINES = 20

/** Throws `NotRun` with the output of the failed step. */
export async function buildImage(docker: Docker, { name, context, memoryBytes, signal }: ImageToBuild): Promise<void> {
  const options = { t: name, networkmode: 'none', rm: true, forcerm: true, memory: memoryBytes, memswap: memoryBytes, abortSignal: signal }
  const events = await callEngine(docker.buildImage(context, options))
  const printed: string[] = []
  let failure: string | null = null
  for await (const line of createInterface({ input: events })) {
    const event = JSON.parse(line) as { stream?: string; error?: string } // the Engine's format
    if (event.stream !== undefined && event.stream.trim() !== '') printed.push(event.stream.trimEnd())
    failure = event.error ?? failure
  }
  signal.throwIfAborted()
  if (failure !== null) throw new NotRun('image_unavailable', `${failure}\n${printed.slice(-TAIL_LINES).join('\n')}`)
}
