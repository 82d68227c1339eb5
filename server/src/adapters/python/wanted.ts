import fs from 'node:fs'
import path from 'node:path'

/** The package versions in the trainers' pyproject.toml, such as `torch` → `2.13.0`. */
export function recommendedVersions(trainersDir: string): Map<string, string> {
  const text = fs.readFileSync(path.join(trainersDir, 'pyproject.toml'), 'utf8')
  const list = /^dependencies = \[([^\]]*)\]/m.exec(text)?.[1] ?? ''
  return new Map([...list.matchAll(/"([\w-]+)==([^"\s]+)"/g)].map(([, name, version]) => [name!, version!]))
}
