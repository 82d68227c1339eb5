/** Images from a build context. Their steps have no network; images that they begin from have to be there. */
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { NotRun } from '../sandbox/types.ts'
import { ask } from './client.ts'

export interface ImageToBuild {
  name: string
  /** With a Dockerfile at its top. */
  context: Readable
  memoryBytes: number
  signal: AbortSignal
}

const TAIL_LINES = 20

/** Throws `NotRun` with what the failed step printed. */
export async function buildImage(docker: Docker, { name, context, memoryBytes, signal }: ImageToBuild): Promise<void> {
  const options = { t: name, networkmode: 'none', rm: true, forcerm: true, memory: memoryBytes, memswap: memoryBytes, abortSignal: signal }
  const answer = await ask(docker.buildImage(context, options))
  const printed: string[] = []
  let failure: string | null = null
  for await (const line of createInterface({ input: answer })) {
    const event = JSON.parse(line) as { stream?: string; error?: string } // of the Engine
    if (event.stream !== undefined && event.stream.trim() !== '') printed.push(event.stream.trimEnd())
    failure = event.error ?? failure
  }
  signal.throwIfAborted()
  if (failure !== null) throw new NotRun('image_unavailable', `${failure}\n${printed.slice(-TAIL_LINES).join('\n')}`)
}
