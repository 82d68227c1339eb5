import fs from 'node:fs'
import path from 'node:path'

/** Versions that the trainers are made for, from their pyproject.toml: `torch` → `2.13.0`. */
export function wantedVersions(trainersDir: string): Map<string, string> {
  const text = fs.readFileSync(path.join(trainersDir, 'pyproject.toml'), 'utf8')
  const list = /^dependencies = \[([^\]]*)\]/m.exec(text)?.[1] ?? ''
  return new Map([...list.matchAll(/"([\w-]+)==([^"\s]+)"/g)].map(([, name, version]) => [name!, version!]))
}
