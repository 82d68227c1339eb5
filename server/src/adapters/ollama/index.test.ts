import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { birthOf } from '#server/process/marks.ts'
import { newFolder } from '#server/testing/folders.ts'
import { createOllama } from './index.ts'

let folder: string
beforeEach(() => void (folder = newFolder()))

/** Returns a function that exports a model with this script in place of Ollama's program. */
function ollama(script: string) {
  const program = path.join(folder, 'ollama')
  fs.writeFileSync(program, `#!/bin/sh\n${script}`, { mode: 0o700 })
  const client = createOllama({ path: `${folder}:/usr/bin:/bin`, userHome: folder })
  return (signal = new AbortController().signal) => client.create(client.find()!, 'mine', path.join(folder, 'Modelfile'), signal)
}

it("receives the model, and reports Ollama's message if it fails", async () => {
  await ollama(`echo "$@" >'${folder}/arguments'; echo "$HOME" >>'${folder}/arguments'`)()
  expect(fs.readFileSync(path.join(folder, 'arguments'), 'utf8')).toBe(`create mine -f ${folder}/Modelfile\n${folder}\n`)
  await expect(ollama('echo "could not connect" >&2; exit 1')()).rejects.toThrow('Ollama did not accept the model: could not connect')
  await expect(ollama('exit 7')()).rejects.toThrow('Ollama did not accept the model: it ended with 7')
})

it('ends with its descendants when the export is cancelled', async () => {
  const cancellation = new AbortController()
  const pidFile = path.join(folder, 'child')
  const exported = ollama(`sleep 600 & echo $! >'${pidFile}'; wait`)(cancellation.signal)
  const childPid = () => Number(fs.existsSync(pidFile) ? fs.readFileSync(pidFile, 'utf8') : 0)
  await expect.poll(childPid).toBeGreaterThan(0)
  cancellation.abort(new Error('cancelled'))
  await expect(exported).rejects.toThrow('cancelled')
  expect(birthOf(childPid())).toBeNull()
})
