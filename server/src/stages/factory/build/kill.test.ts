import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import readline from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { testDatasets } from './testing-rows.ts'

const homes: string[] = []
afterEach(() => {
  for (const home of homes.splice(0)) fs.rmSync(home, { recursive: true, force: true })
})

/** Builds in a child until it has said a line that fits, kills it there (SIGKILL), and returns all it said. */
async function killAt(home: string, fits: (line: string) => boolean): Promise<string[]> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'testing-killed.ts'), home], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines: string[] = []
  for await (const line of readline.createInterface({ input: child.stdout })) {
    lines.push(line)
    if (fits(line)) child.kill('SIGKILL')
  }
  await ended
  expect(child.signalCode).toBe('SIGKILL')
  return lines
}

test.for([
  ['while rows are made', /^making rows/],
  ['while rows are curated', /^(curate|dedup)/],
  ['while rows are written', /^clear and write/],
  ['as soon as a version is there', /^added/],
] as const)('killed %s, no half version is ever visible', async ([, when]) => {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-killed-'))
  homes.push(home)
  const said = await killAt(home, (line) => when.test(line))
  const core = openCore({ home, keep: true })
  const { datasets, build } = testDatasets(core, { sessions: 60, perSession: 10 })
  const { items } = datasets.list({ limit: 100 })
  const told = said.filter((line) => line.startsWith('added ')).map((line) => line.slice('added '.length))
  for (const id of told) expect(items.map((item) => item.id)).toContain(id)
  for (const { id } of items) {
    const { files } = datasets.get(id)
    for (const file of files) expect(hash('sha256', fs.readFileSync(path.join(core.paths.datasets, id, file.path)))).toBe(file.sha256)
  }
  expect(fs.readdirSync(core.paths.datasets).toSorted()).toEqual(['collections', ...items.map(({ id }) => id)].toSorted())
  expect((await build({ dedup: { near: false } })).state).toBe('completed')
  await core.close()
})
