import fs from 'node:fs'
import path from 'node:path'
import type { ExportConfig } from '#contracts/trainer.ts'
import { GGUF_TAKES, requireDiskSpace } from '../export/check.ts'
import { makePart, slug } from '../registry/folder.ts'

export interface TrialCopy {
  /** Folder of the model, with the adapter on it if any. */
  model: string
  adapter: string | null
  /** Tells copies apart: changes when the weights do. */
  key: string
}

const KEPT = 8
const fileOf = (folder: string, key: string) => path.join(folder, `${slug(key)}.gguf`)
/** Of the trained weights of a model. */
export const trialKey = (id: string): string => `model-${id}`

/** Bytes freed. */
export function forgetTrial(folder: string, key: string): number {
  const file = fileOf(folder, key)
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  fs.rmSync(file, { force: true })
  return bytes
}

/**
 * A GGUF (q8_0) for trying out a model that has none, made once into `folder` and found there again. The oldest go when
 * there are more than eight.
 */
export async function trialCopy(
  folder: string,
  { model, adapter, key }: TrialCopy,
  tool: (config: ExportConfig, workFolder: string) => Promise<unknown>,
): Promise<string> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = fileOf(folder, key)
  if (fs.existsSync(file)) {
    const now = new Date()
    fs.utimesSync(file, now, now)
    return file
  }
  const part = makePart(folder)
  try {
    await requireDiskSpace(part, model, 1 + GGUF_TAKES.q8_0)
    const merged = path.join(part, 'merged')
    await tool({ command: 'merge', model, adapter, output: merged }, part)
    const made = path.join(part, 'model.gguf')
    await tool({ command: 'gguf', model: merged, output: made, quantization: 'q8_0', quantizer: null, threads: null }, part)
    forgetOldest(folder)
    fs.renameSync(made, file)
    return file
  } finally {
    fs.rmSync(part, { recursive: true, force: true })
  }
}

function forgetOldest(folder: string): void {
  const copies = fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.gguf'))
    .map((name) => path.join(folder, name))
    .toSorted((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)
  for (const old of copies.slice(KEPT - 1)) fs.rmSync(old)
}
