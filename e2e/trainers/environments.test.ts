/** Tests other trainers with our environment servers: the Python package, the package `openenv`, and the snippets on the page. */
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { environmentSnippets, type EnvironmentSnippet } from '#renderer/features/shell-tasks/environments/environment-snippets.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import { probe } from '../../scripts/lib/probe.mjs'
import { startScriptedModel } from '../support/scripted-model.ts'
import { tinyModel } from '../support/trainer.ts'
import { PYTHON } from './python.ts'

const PACKAGE = path.resolve(import.meta.dirname, '../../python/bashgym')
const PARTS = probe()
const [OPENENV, VERIFIERS, ART] = [PARTS.openenv.found ?? '', PARTS.verifiers.found ?? '', PARTS.art.found ?? '']
const DONE = '{"final_answer": "done"}'
const SOLVES = ['wc -l < /etc/passwd > /root/lines', DONE]

/** Makes the libraries work offline and send no telemetry. */
const QUIET = { KEY: 'none', HF_HUB_OFFLINE: '1', LITELLM_LOCAL_MODEL_COST_MAP: 'True', WANDB_MODE: 'disabled', WEAVE_DISABLED: 'true', DO_NOT_TRACK: '1' } // prettier-ignore

/** Runs a program and returns its output; throws if it fails. */
async function run(program: string, args: string[], more: Record<string, string> = {}): Promise<string> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    PYTHONPATH: PACKAGE,
    PYTHONDONTWRITEBYTECODE: '1',
    ...more,
  }
  const child = spawn(program, args, { cwd: PACKAGE, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 300_000, killSignal: 'SIGKILL' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${program} ${args.join(' ').slice(0, 200)} ended with ${String(code)}:\n${output.slice(-6000)}`)
  return output
}

describe.skipIf(!PARTS.bubblewrap.found)('environments for other trainers', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-others-'))
  let server: TestServer
  let own: { url: string; token: string }
  let open: Record<'simulation' | 'production', string>
  beforeAll(async () => {
    server = await startTestServer({ config: { ...testConfig(), sandboxes: { running: 16, queue: 16 } } })
    const start = (body: object) => server.client.startEnvironment({ body })
    own = await start({})
    const withToken = ({ url, token }: { url: string; token: string }) => url.replace('http://', `http://any:${token}@`) // the clients of `openenv` set no headers
    open = { simulation: withToken(await start({})), production: withToken(await start({ mode: 'production' })) }
  })
  afterAll(async () => {
    await server.close()
    fs.rmSync(folder, { recursive: true, force: true })
  })
  const snippet = (id: EnvironmentSnippet['id']) => environmentSnippets(own.url, own.token).find((one) => one.id === id)!.lines
  /** Runs code that calls the endpoint `URL`, which gives these answers in order. */
  async function byRote(program: string, lines: string, answers: readonly string[]): Promise<string> {
    const model = await startScriptedModel(answers)
    try {
      return await run(program, ['-c', `URL = ${JSON.stringify(model.url)}\n${lines}`], QUIET)
    } finally {
      await model.close()
    }
  }

  it.skipIf(OPENENV === '')('the Python package and the clients and validator of `openenv` work', async () => {
    const output = await run(OPENENV, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
      BASHGYM_TEST_ENVIRONMENT_URL: own.url,
      BASHGYM_TEST_ENVIRONMENT_TOKEN: own.token,
      BASHGYM_TEST_SIMULATION_URL: open.simulation,
      BASHGYM_TEST_PRODUCTION_URL: open.production,
    })
    expect(output).not.toMatch(/skipped/)
    await expect.poll(async () => (await server.client.listSandboxes({ query: { status: 'started' } })).items).toEqual([])
  })

  it.skipIf(OPENENV === '')('the snippet for Gymnasium works', async () => {
    expect(await run(OPENENV, ['-c', snippet('gymnasium')])).toMatch(/^True 0\.98/m)
  })

  it.skipIf(VERIFIERS === '')('the snippet for verifiers works, and a rollout with a scripted model', async () => {
    const rest = `
from verifiers.types import ClientConfig
client = ClientConfig(api_base_url=URL, api_key_var="KEY")
results = environment.evaluate_sync(client, "rote", num_examples=1, rollouts_per_example=2, max_concurrent=1, independent_scoring=True)
for output in results["outputs"]:
    print("rollout", output["reward"], output["stop_condition"], output["error"])
`
    const output = await byRote(VERIFIERS, snippet('verifiers') + rest, [...SOLVES, 'echo 0 > /root/lines', DONE])
    expect(output).toMatch(/^rollout 1\.0 has_final_env_response None\nrollout 0\.0 has_final_env_response None$/m)
  })

  it.skipIf(ART === '')('the snippet for ART works with a scripted model', async () => {
    const rest = `
import asyncio
model = art.Model(name="rote", project="test", inference_api_key="none", inference_base_url=URL)
trajectory = asyncio.run(rollout(model))
print("reward", trajectory.reward, len(trajectory.messages()))
`
    expect(await byRote(ART, snippet('art') + rest, SOLVES)).toMatch(/^reward 1\.0 \d+$/m)
  })

  it('the snippet for TRL trains a tiny model', async () => {
    const model = tinyModel(folder, PYTHON)
    const lines = snippet('trl')
      .replace('"Qwen/Qwen3-0.6B"', JSON.stringify(model))
      .replace('"run"', JSON.stringify(path.join(folder, 'run')))
      .replace('max_steps=10, num_generations=8, max_completion_length=512', 'max_steps=1, num_generations=2, per_device_train_batch_size=2, max_completion_length=16, use_cpu=True, bf16=False, report_to="none"') // prettier-ignore
    const output = await run(PYTHON, ['-c', lines], { HF_HUB_OFFLINE: '1', TRL_EXPERIMENTAL_SILENCE: '1', OMP_NUM_THREADS: '1' })
    expect(output).toMatch(/'reward': '0/)
    expect(output).not.toMatch(/Traceback/)
  })

  it('the package needs one library, and does not install its extras by default', async () => {
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
