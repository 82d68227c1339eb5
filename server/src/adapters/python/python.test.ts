import fs from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadConfig } from '#server/config.ts'
import { newFolder } from '#server/testing/folders.ts'
import { childEnv } from './child-env.ts'
import { createPython, type PythonDeps } from './index.ts'
import { installSteps } from './install.ts'
import { afterLine, INITIAL_PIP_STATE } from './pip-output.ts'

let root: string
beforeEach(() => (root = newFolder()))

const GOOD = { torch: '2.13.0', transformers: '5.23.0', trl: '1.16.0', peft: '0.21.2' }
const { trainersDir, clientsDir } = loadConfig({ dataDir: '/nowhere' }, {})

/** Writes a fake interpreter that answers the probe with `facts`, and with `imported` too if it gets `--import`. */
function fakePython(folder: string, facts: object, imported: object = {}): string {
  const file = path.join(root, folder, 'python3')
  const defaults = { version: '3.12.1', executable: file, prefix: root, venv: true, packages: GOOD, stamp: {}, missing: [], problem: null, cuda: null, devices: [] } // prettier-ignore
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const answers = [
    { ...defaults, ...facts },
    { ...defaults, ...facts, ...imported },
  ].map((answer) => JSON.stringify(answer).replaceAll("'", ''))
  fs.writeFileSync(
    file,
    `#!/bin/sh\necho "$*" >>'${root}/calls'\ncase "$*" in *--import*) echo '${answers[1]}';; *) echo '${answers[0]}';; esac\n`,
    { mode: 0o755 },
  )
  return file
}
const calls = () => fs.readFileSync(path.join(root, 'calls'), 'utf8').trim().split('\n')
const pathOf = (...folders: string[]) => folders.map((folder) => path.join(root, folder)).join(path.delimiter)
const open = (parts: Partial<PythonDeps> = {}) =>
  createPython({
    trainersDir,
    clientsDir,
    userHome: root,
    path: '',
    hubCache: path.join(root, 'hub'),
    machine: {},
    named: null,
    setting: () => '',
    folder: path.join(root, 'env'),
    log: path.join(root, 'logs', 'environment.log'),
    network: {},
    now: () => 0,
    extraFolders: [],
    ...parts,
  })

describe('the Python for training', () => {
  it('is the first on PATH with a supported version and all packages', async () => {
    fakePython('old', { version: '3.8.18' })
    fakePython('bare', { packages: {}, missing: ['torch', 'trl'] })
    const fit = fakePython('fit', {})
    const python = open({ path: `${pathOf('old', 'bare', 'fit')}:/usr/bin` })
    expect(await python.status()).toMatchObject({ state: 'ready', source: 'path', python: fit, version: '3.12.1', missing: [], problem: null, hint: null }) // prettier-ignore
    const { python: chosen, env } = await python.require()
    expect(chosen).toBe(fit)
    expect(env).toMatchObject({ PYTHONPATH: [trainersDir, clientsDir].join(path.delimiter), HF_HUB_OFFLINE: '1' })
  })

  it('is the named one or none: the variable before the setting, with the reason if it is not usable', async () => {
    const [old, other] = [fakePython('old', { version: '3.8.18' }), fakePython('other', {})]
    fakePython('fit', {})
    const named = open({ named: old, setting: () => other, path: `${pathOf('fit')}:/usr/bin` })
    expect(await named.status()).toMatchObject({ state: 'broken', source: 'variable', python: old, problem: 'Python 3.8.18 is not supported: the packages need Python 3.11 to 3.14.' }) // prettier-ignore
    await expect(named.require()).rejects.toMatchObject({
      code: 'training_unavailable',
      message: expect.stringContaining('3.8.18') as string,
    })
    const fromSetting = open({ setting: () => other, path: `${pathOf('fit')}:/usr/bin` })
    expect(await fromSetting.status()).toMatchObject({ state: 'ready', source: 'setting', python: other })
    const missing = open({ setting: () => '/no/such/python' })
    expect(await missing.status()).toMatchObject({
      state: 'broken',
      source: 'setting',
      problem: '/no/such/python is not a working Python.',
    })
  })

  it('reports missing packages and failing imports, once for each state of the packages', async () => {
    const incomplete = fakePython('bare', { packages: {}, missing: ['trl', 'peft'] })
    const bare = open({ setting: () => incomplete, path: '/usr/bin' })
    expect(await bare.status()).toMatchObject({
      state: 'incomplete',
      missing: ['trl', 'peft'],
      problem: 'These packages are missing: trl, peft.',
    })
    const failing = fakePython('failing', {}, { problem: 'ImportError: libcudart.so' })
    const python = open({ setting: () => failing, path: '/usr/bin' })
    expect(await python.status()).toMatchObject({ state: 'broken', problem: 'ImportError: libcudart.so' })
    const complete = fakePython('fit', {})
    const fit = open({ setting: () => complete, path: '/usr/bin' })
    fs.rmSync(path.join(root, 'calls'))
    await fit.status()
    await fit.require()
    expect(calls().filter((call) => call.includes('--import'))).toHaveLength(1)
    await fit.status({ fresh: true })
    expect(calls().filter((call) => call.includes('--import'))).toHaveLength(2)
  })

  it('is reported as missing with a hint if there is none', async () => {
    expect(await open().status()).toMatchObject({ state: 'missing', source: null, python: null, hint: expect.stringContaining('Settings → Training') as string }) // prettier-ignore
    await expect(open().install({ repair: false, build: 'cpu' }, () => {}, new AbortController().signal)).rejects.toMatchObject({
      code: expect.stringMatching(/training_unavailable|disk_full/) as string,
    })
  })

  it('is incomplete until its marker is written', async () => {
    fs.mkdirSync(path.join(root, 'env', 'venv', 'bin'), { recursive: true })
    expect(await open().status()).toMatchObject({ state: 'incomplete', problem: 'The environment is not completely installed.', hint: 'Install continues where it stopped.' }) // prettier-ignore
    fs.renameSync(fakePython('x', {}), path.join(root, 'env', 'venv', 'bin', 'python'))
    fs.writeFileSync(path.join(root, 'env', 'ready.json'), '{"installedAt":"2026-01-01T00:00:00.000Z","build":"cpu","bytes":7}')
    const python = open({ path: '/usr/bin' })
    expect(await python.status()).toMatchObject({ state: 'ready', source: 'own', bytes: 7 })
    expect(await python.remove()).toMatchObject({ bytes: null })
    expect(fs.existsSync(path.join(root, 'env'))).toBe(false)
  })
})

describe('the environment variables of a child', () => {
  it("have the trainers, no telemetry and the machine's variables, but no key", () => {
    const config = loadConfig(
      { dataDir: root },
      { ANTHROPIC_API_KEY: 'sk-secret', HF_TOKEN: 'hf_secret', CUDA_VISIBLE_DEVICES: '1', PATH: '/bin' },
    )
    const env = childEnv(config)
    expect(env).toMatchObject({
      CUDA_VISIBLE_DEVICES: '1',
      PATH: '/bin',
      HF_HUB_DISABLE_TELEMETRY: '1',
      DO_NOT_TRACK: '1',
      OMP_WAIT_POLICY: 'PASSIVE',
    })
    expect(JSON.stringify(env)).not.toMatch(/secret/)
    expect(childEnv(config, { offline: false })).not.toHaveProperty('HF_HUB_OFFLINE')
  })
})

describe('the installer', () => {
  it('uses argument vectors without a shell', () => {
    const steps = installSteps({ base: '/usr/bin/python3', venv: '/d/env/venv', locks: path.join(trainersDir, 'locks'), build: 'cuda' })
    expect(steps.map(({ name }) => name)).toEqual(['python', 'installer', 'torch', 'packages', 'converter'])
    expect(steps[0]!.argv).toEqual(['/usr/bin/python3', '-m', 'venv', '/d/env/venv'])
    for (const { argv } of steps.slice(1)) expect(argv).toContain('--require-hashes')
    const cpu = installSteps({ base: 'p', venv: 'v', locks: path.join(trainersDir, 'locks'), build: 'cpu' })
    expect(cpu.find(({ name }) => name === 'torch')!.argv).not.toContain('--require-hashes')
  })

  it('reports packages, and bytes of the current and of all files', () => {
    const lines = [
      'Collecting torch==2.13.0 (from -r cpu.txt (line 2))',
      '  Downloading torch-2.13.0-cp311.whl (180.1 MB)',
      'Progress 0 of 1000',
      'Progress 600 of 1000',
      'Progress 1000 of 1000',
      'Collecting peft==0.21.2 (from -r common.txt (line 3))',
      '  Using cached peft-0.21.2-py3-none-any.whl (1 MB)',
      'Collecting trl==1.16.0',
      '  Downloading trl-1.16.0.whl (5 kB)',
      'Progress 50 of 50',
    ]
    const state = lines.reduce(afterLine, INITIAL_PIP_STATE)
    expect(state).toEqual({ phase: 'collecting', packages: 3, current: 'trl==1.16.0', bytesDone: 50, bytesTotal: 50, fetched: 1050 })
    expect(afterLine(state, 'Installing collected packages: torch, peft, trl')).toMatchObject({
      phase: 'installing',
      packages: 3,
      current: null,
    })
    expect(afterLine(state, 'WARNING: something')).toBe(state)
  })
})
