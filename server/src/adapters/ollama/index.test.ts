import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { birthOf } from '#server/process/marks.ts'
import { createOllama } from './index.ts'

let folder: string
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-ollama-'))))
afterEach(() => fs.rmSync(folder, { recursive: true }))

/** Uses this script instead of Ollama's program. */
function ollama(script: string) {
  const program = path.join(folder, 'ollama')
  fs.writeFileSync(program, `#!/bin/sh\n${script}`, { mode: 0o700 })
  const places = createOllama({ path: `${folder}:/usr/bin:/bin`, userHome: folder })
  return (signal = new AbortController().signal) => places.create(places.find()!, 'mine', path.join(folder, 'Modelfile'), signal)
}

it("receives the model, and reports Ollama's message if it fails", async () => {
  await ollama(`echo "$@" >'${folder}/asked'; echo "$HOME" >>'${folder}/asked'`)()
  expect(fs.readFileSync(path.join(folder, 'asked'), 'utf8')).toBe(`create mine -f ${folder}/Modelfile\n${folder}\n`)
  await expect(ollama('echo "could not connect" >&2; exit 1')()).rejects.toThrow('Ollama did not accept the model: could not connect')
  await expect(ollama('exit 7')()).rejects.toThrow('Ollama did not accept the model: it ended with 7')
})

it('ends with its descendants when the export is cancelled', async () => {
  const stop = new AbortController()
  const begun = path.join(folder, 'child')
  const exported = ollama(`sleep 600 & echo $! >'${begun}'; wait`)(stop.signal)
  const childOf = () => Number(fs.existsSync(begun) ? fs.readFileSync(begun, 'utf8') : 0)
  await expect.poll(childOf).toBeGreaterThan(0)
  stop.abort(new Error('cancelled'))
  await expect(exported).rejects.toThrow('cancelled')
  expect(birthOf(childOf())).toBeNull()
})
