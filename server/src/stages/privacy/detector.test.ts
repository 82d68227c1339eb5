import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { DETECTORS } from './detector.ts'

/** Hash of the compiled detectors and word lists; comments, types and layout do not change it. */
function hashOfDetectors(): string {
  const folder = path.join(import.meta.dirname, '../../detect')
  const files = fs
    .readdirSync(folder, { recursive: true })
    .map((name) => String(name).replaceAll(path.sep, '/'))
    .filter((name) => /\.(?:ts|txt)$/.test(name) && !name.endsWith('.test.ts') && !/^(?:blind|labelled)\//.test(name))
  const hash = createHash('sha256')
  for (const name of files.toSorted()) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8')
    hash.update(`${name}\0${name.endsWith('.ts') ? withoutTypes(text) : text}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

const withoutTypes = (source: string): string =>
  ts.transpileModule(source, {
    compilerOptions: { removeComments: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext },
  }).outputText

it('DETECTORS is the hash of the sources in detect/', () => {
  expect(DETECTORS, 'The sources in detect/ changed: write the received value into DETECTORS (detector.ts).').toBe(hashOfDetectors())
})
