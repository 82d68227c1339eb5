/** Others' trainers against our servers of environments: the Python package, the package `openenv`, and the lines that the page offers. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environmentSnippets, type EnvironmentSnippet } from '#contracts/environment-snippets.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { probe } from '../../scripts/lib/probe.mjs'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON } from './python.ts'

const PACKAGE = path.resolve(import.meta.dirname, '../../python/bashgym')
const OPENENV = probe().openenv.found ?? ''

/** A program that ends well; what it printed. */
async function run(program: string, args: string[], more: Record<string, string> = {}): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    PYTHONPATH: PACKAGE,
    PYTHONDONTWRITEBYTECODE: '1',
    ...more,
  }
  const child = spawn(program, args, { cwd: PACKAGE, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ${args.join(' ').slice(0, 200)} ended with ${String(code)}:\n${output.slice(-6000)}`)
  return output
}

describe.skipIf(!probe().bubblewrap.found)('environments for others', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-others-'))
  let server: TestServer
  let own: { url: string; token: string | null }
  let open: Record<'simulation' | 'production', string>
  beforeAll(async () => {
    server = await startTestServer({ config: { ...testConfig(), sandboxes: { running: 16, queue: 16 } } })
    const start = (body: object) => server.client.startEnvironment({ body })
    own = await start({})
    open = { simulation: (await start({ token: null })).url, production: (await start({ token: null, mode: 'production' })).url }
  })
  afterAll(async () => {
    await server.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const snippet = (id: EnvironmentSnippet['id']) => environmentSnippets(own.url, own.token).find((one) => one.id === id)!.lines

  it.skipIf(OPENENV === '')('the Python package, and the clients and validator of `openenv`', async () => {
    const output = await run(OPENENV, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      BASHGYM_TEST_ENVIRONMENT_URL: own.url,
      BASHGYM_TEST_ENVIRONMENT_TOKEN: own.token!,
      BASHGYM_TEST_SIMULATION_URL: open.simulation,
      BASHGYM_TEST_PRODUCTION_URL: open.production,
    })
    expect(output).not.toMatch(/skipped/)
    await expect.poll(async () => (await server.client.listSandboxes({ query: { status: 'started' } })).items).toEqual([])
  })

  it.skipIf(OPENENV === '')('the lines for Gymnasium', async () => {
    expect(await run(OPENENV, ['-c', snippet('gymnasium')])).toMatch(/^True 0\.98/m)
  })

  it.skipIf(OPENENV === '')('the lines for ART, with a model that answers by rote', async () => {
    const rest = `
import asyncio, types
says = iter(["wc -l < /etc/passwd > /root/lines", '{"final_answer": "done"}'])
class Model:
    name = "rote"
    def openai_client(self): return self
    @property
    def chat(self): return self
    @property
    def completions(self): return self
    async def create(self, **_): return types.SimpleNamespace(choices=[types.SimpleNamespace(message=types.SimpleNamespace(content=next(says)))])
print("reward", asyncio.run(rollout(Model())).reward)
`
    const art = path.join(folder, 'art')
    fs.mkdirSync(art, { recursive: true })
    fs.writeFileSync(
      path.join(art, 'art.py'),
      'class Model: ...\nclass Trajectory:\n    def __init__(self, messages_and_choices, reward):\n        self.messages_and_choices, self.reward = messages_and_choices, reward\n    def messages(self): return self.messages_and_choices\n',
    )
    expect(await run(OPENENV, ['-c', snippet('art') + rest], { PYTHONPATH: `${PACKAGE}:${art}` })).toContain('reward 1.0')
  })

  it('the lines for TRL train a tiny model with its own trainer', async () => {
    const model = tinyModel(folder, PYTHON)
    const lines = snippet('trl')
      .replace('"Qwen/Qwen3-0.6B"', JSON.stringify(model))
      .replace('"run"', JSON.stringify(path.join(folder, 'run')))
      .replace('max_steps=10, num_generations=8, max_completion_length=512', 'max_steps=1, num_generations=2, per_device_train_batch_size=2, max_completion_length=16, use_cpu=True, bf16=False, report_to="none"') // prettier-ignore
    const output = await run(PYTHON, ['-c', lines], { HF_HUB_OFFLINE: '1', TRL_EXPERIMENTAL_SILENCE: '1', OMP_NUM_THREADS: '1' })
    expect(output).toMatch(/'reward': '0/)
    expect(output).not.toMatch(/Traceback/)
  })

  it('the package needs one library, and its extras stay out unless asked for', async () => {
    const venv = path.join(folder, 'venv')
    await run(PYTHON, ['-m', 'venv', venv])
    const python = path.join(venv, 'bin', 'python')
    fs.cpSync(PACKAGE, path.join(folder, 'package'), { recursive: true })
    await run(python, ['-m', 'pip', 'install', '--quiet', path.join(folder, 'package')], { PYTHONPATH: '' })
    const installed = JSON.parse((await run(python, ['-m', 'pip', 'list', '--format=json', '--disable-pip-version-check'], { PYTHONPATH: '' })).split('\n')[0]!) as { name: string }[] // prettier-ignore
    expect(installed.map(({ name }) => name).filter((name) => name !== 'pip' && name !== 'setuptools')).toEqual(['bashgym', 'websockets'])
    const IMPORTS = 'import bashgym.client, bashgym.terminus, bashgym.trl, bashgym.sos, bashgym.verifiers, importlib.resources as r\nassert r.files("bashgym").joinpath("py.typed").is_file()\ntry:\n    import bashgym.gym\nexcept ModuleNotFoundError as error:\n    print("without", error.name)' // prettier-ignore
    expect(await run(python, ['-c', IMPORTS], { PYTHONPATH: '' })).toContain('without gymnasium')
  })
})
