import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { useFolder } from '#server/testing/folders.ts'
import { installationOf } from './python-installation.ts'
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
    copyOf: async () => null,
  })
  const [go, cargo, general, image] = await Promise.all([
    toolchains.of(['go'], { backend: 'bubblewrap' }, '/no/such/project'),
    toolchains.of(['cargo'], { backend: 'bubblewrap' }, '/no/such/project'),
    toolchains.of(['command'], { backend: 'bubblewrap' }, '/no/such/project'),
    toolchains.of(['go'], { backend: 'docker' }, '/no/such/project'),
  ])
  expect(go).toEqual({ unseen: null, folders: [], env: { PATH: '/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin' } })
  expect(cargo).toEqual({
    unseen: null,
    folders: [{ place: '/etc', source: '/etc' }],
    env: { PATH: '/etc/bin:/usr/local/bin:/usr/bin:/bin' },
  })
  expect(general).toEqual({
    unseen: null,
    folders: [{ place: '/etc', source: '/etc' }],
    env: { PATH: '/usr/local/go/bin:/etc/bin:/usr/local/bin:/usr/bin:/bin' },
  })
  expect(image).toEqual({ unseen: null, folders: [], env: {} })
})

it('shows a folder that others may not enter from a copy, and names a Python that it cannot show', async () => {
  const root = fs.mkdtempSync(path.join(os.homedir(), '.bashgym-test-'))
  try {
    const installation = path.join(root, 'python')
    const project = path.join(root, 'project')
    fs.mkdirSync(path.join(installation, 'bin'), { recursive: true })
    fs.mkdirSync(path.join(project, 'env'), { recursive: true })
    fs.writeFileSync(path.join(project, 'env', 'pyvenv.cfg'), 'home = /no/such/python/bin\n')
    fs.chmodSync(root, 0o700)
    const toolchains = createToolchains({
      find: () => '/usr/bin/python3',
      outputOf: async () => installation,
      userHome: '/no/such/home',
      copyOf: async (folder) => `/copy${folder}`,
    })
    const isRoot = process.getuid?.() === 0
    const source = isRoot ? `/copy${installation}` : installation
    const shown = await toolchains.of(['pytest'], { backend: 'bubblewrap' }, '/no/such/project')
    expect(shown).toMatchObject({ folders: [{ place: installation, source }], unseen: null })
    const named = await toolchains.of(['pytest'], { backend: 'bubblewrap' }, project)
    expect(named.unseen).toContain('/no/such/python/bin')
  } finally {
    fs.rmSync(root, { recursive: true })
  }
})

describe('the Python of a virtual environment', () => {
  const userHome = useFolder()
  const installation = path.join(userHome, '.pyenv', 'versions', '3.12.1')
  fs.mkdirSync(path.join(installation, 'bin'), { recursive: true })
  const inHome = (...names: string[]) => path.join(userHome, ...names)
  const made = (place: string, mode = 0o755): string => {
    fs.mkdirSync(path.join(place, 'bin'), { recursive: true })
    fs.chmodSync(place, mode)
    return `home = ${place}/bin\n`
  }

  it('is found in its configuration, where the user has installed it', () => {
    expect(installationOf(`home = ${installation}/bin\nversion = 3.12.1\n`, userHome)).toBe(installation)
    expect(installationOf('home = /usr/bin\n', userHome)).toBe('/usr')
    fs.mkdirSync(inHome('.local', 'share', 'uv', 'python', 'cpython-3.12.1', 'bin'), { recursive: true })
    fs.symlinkSync('cpython-3.12.1', inHome('.local', 'share', 'uv', 'python', 'cpython-3.12'))
    const short = inHome('.local', 'share', 'uv', 'python', 'cpython-3.12')
    expect(installationOf(`home = ${short}/bin\n`, userHome)).toBe(short)
  })

  it.each([
    ['anywhere else', () => made(inHome('project', 'tools'))],
    ['in the folder of keys', () => made(inHome('.ssh'))],
    ['reached by "..", or by a link, from an allowed folder', () => `home = ${installation}/../../../.ssh/bin\n`],
    ['a link out of an allowed folder', () => (fs.symlinkSync(inHome('.ssh'), inHome('.pyenv', 'versions', 'linked')), `home = ${inHome('.pyenv', 'versions', 'linked')}/bin\n`)],
    ['writable by others', () => made(inHome('.pyenv', 'versions', 'open'), 0o777)],
    ['all installations together', () => made(inHome('.pyenv', 'versions'))],
    ['of nobody', () => 'home = /no/such/bin\n'],
    ['not an absolute path', () => 'home = ../tools/bin\n'],
    ['missing', () => 'version = 3.12\n'],
  ])('is not believed if it is %s', (_name, config) => {
    expect(installationOf(config(), userHome)).toBeNull()
  }) // prettier-ignore
})
