import fs from 'node:fs'
import path from 'node:path'
import type { ExportConfig } from '#contracts/trainer.ts'
import { GGUF_TAKES, requireDiskSpace } from '../export/check.ts'
import { makeWorkFolder, slug } from '../registry/folder.ts'

export interface TrialCopy {
  /** Folder of the model, or of the base model of `adapter`. */
  model: string
  adapter: string | null
  /** Identifies the weights. */
  key: string
}

const MAX_COPIES = 8
const fileOf = (folder: string, key: string) => path.join(folder, `${slug(key)}.gguf`)
/** Key of the trained weights of a model. */
export const trialKey = (id: string): string => `model-${id}`

/** Removes a copy. Returns the freed bytes. */
export function forgetTrial(folder: string, key: string): number {
  const file = fileOf(folder, key)
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  fs.rmSync(file, { force: true })
  return bytes
}

/**
 * A GGUF (q8_0) to try out a model without one. It is made once in `folder` and reused. The oldest copies are removed
 * when there are too many.
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
  const part = makeWorkFolder(folder)
  try {
    await requireDiskSpace(part, model, 1 + GGUF_TAKES.q8_0)
    const merged = path.join(part, 'merged')
    await tool({ command: 'merge', model, adapter, output: merged }, part)
    const gguf = path.join(part, 'model.gguf')
    await tool({ command: 'gguf', model: merged, output: gguf, quantization: 'q8_0', quantizer: null, threads: null }, part)
    forgetOldest(folder)
    fs.renameSync(gguf, file)
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
  for (const old of copies.slice(MAX_COPIES - 1)) fs.rmSync(old)
}
