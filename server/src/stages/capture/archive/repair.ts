import fs from 'node:fs'
import path from 'node:path'
import { MANIFEST, type Manifest } from './manifest.ts'

/**
 * Truncates the traces of an interrupted append: an incomplete last line of the manifest, and data after the last frame
 * that it names. If the manifest is damaged in its middle, nothing is truncated, because the bytes may be data.
 */
export function repairTrace(traceDir: string, manifest: Manifest, manifestBytes: number): string[] {
  if (manifest.problems.length > 0) return []
  const repaired: string[] = []
  const file = path.join(traceDir, MANIFEST)
  if (manifestBytes > manifest.goodBytes) {
    fs.truncateSync(file, manifest.goodBytes)
    repaired.push(`${file}: cut ${manifestBytes - manifest.goodBytes} bytes of an unfinished line.`)
  }
  const ends = new Map<string, number>()
  for (const line of manifest.lines) ends.set(`${line.source}.${line.generation}.zst`, line.at + line.size)
  for (const name of fs.readdirSync(traceDir)) {
    if (!name.endsWith('.zst')) continue
    const data = path.join(traceDir, name)
    const end = ends.get(name) ?? 0
    const surplus = fs.statSync(data).size - end
    if (surplus <= 0) continue
    if (end === 0) fs.rmSync(data)
    else fs.truncateSync(data, end)
    repaired.push(`${data}: cut ${surplus} bytes that no manifest line names; they are read again from the client's file.`)
  }
  return repaired
}
