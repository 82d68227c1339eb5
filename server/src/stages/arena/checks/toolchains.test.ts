import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { createToolchains } from './toolchains.ts'

it('finds Go and Rust outside /usr, and gives a sandbox only their folders', async () => {
  const printed: Record<string, string> = {
    '/home/a/go/bin/go': '/usr/local/go\n/no/such/folder',
    '/home/a/.cargo/bin/rustc': '/etc',
  }
  const toolchains = createToolchains({
    find: (name) => Object.keys(printed).find((program) => program.endsWith(`/${name}`)) ?? null,
    outputOf: async (program) => printed[program] ?? null,
    userHome: '/no/such/home',
  })
  const [go, cargo, general, image] = await Promise.all([
    toolchains.of('go', { backend: 'bubblewrap' }, '/'),
    toolchains.of('cargo', { backend: 'bubblewrap' }, '/'),
    toolchains.of('command', { backend: 'bubblewrap' }, '/'),
    toolchains.of('go', { backend: 'docker' }, '/'),
  ])
  expect(go).toEqual({ folders: [], env: { PATH: '/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(cargo).toEqual({ folders: ['/etc'], env: { PATH: '/etc/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(general).toEqual({ folders: ['/etc'], env: { PATH: '/usr/local/go/bin:/etc/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(image).toEqual({ folders: [], env: {} })
})

it('runs the interpreter that a virtual environment links to, never a program of the project', async () => {
  const project = useFolder()
  const bin = path.join(project, '.venv', 'bin')
  const ran: string[] = []
  const toolchains = createToolchains({
    find: (name) => (name === 'python3' ? '/usr/bin/python3' : null),
    outputOf: async (program) => {
      ran.push(program)
      return null
    },
    userHome: '/no/such/home',
  })
  fs.mkdirSync(bin, { recursive: true })
  fs.writeFileSync(path.join(bin, 'python'), '#!/bin/sh\n', { mode: 0o755 })
  await toolchains.of('pytest', { backend: 'bubblewrap' }, project)
  fs.rmSync(path.join(bin, 'python'))
  fs.symlinkSync('/bin/sh', path.join(bin, 'python'))
  await toolchains.of('command', { backend: 'bubblewrap' }, project)
  fs.rmSync(path.join(bin, 'python'))
  fs.symlinkSync('/usr/bin/python3', path.join(bin, 'python'))
  await toolchains.of('unittest', { backend: 'bubblewrap' }, project)
  expect(ran).toEqual(['/usr/bin/python3', '/usr/bin/python3', fs.realpathSync('/usr/bin/python3')])
})
