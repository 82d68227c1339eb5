// Fuzzes the API from its own OpenAPI document with schemathesis (PyPI): no 5xx, whatever is sent, and most operations
// must have been reached beyond their refusals.
// The server is the built one, on a data directory and a home of its own.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { cacheDir } from '../../scripts/lib/probe.mjs'
import { makeWorkspace, startServer } from '../support/server.ts'
import { seed } from './seed.mjs'

const venv = path.join(cacheDir, 'schemathesis')
const program = path.join(venv, 'bin', 'schemathesis')
if (!fs.existsSync(program)) {
  run('python3', ['-m', 'venv', venv])
  run(path.join(venv, 'bin', 'pip'), ['install', '--quiet', 'schemathesis'])
}

/** Operations that must have answered 2xx at least once, of all that were called and can without a Python that trains. */
const LEAST_SHARE = 0.9
/** A Python that trains; without one there is neither run nor model to be reached. */
const python = process.env.BASHGYM_TEST_PYTHON || null
/** What no call of the fuzzer can be answered with success: there is no provider to ask, no model on the hub, no browser that signs in, no agent with a question. */
const OUT_OF_REACH = new Set(['estimateSynthetic', 'generateSynthetic', 'resumeSynthetic', 'lookUpBaseModel', 'openSession', 'answerTask'])
/**
 * They would train, convert or serve at each call, or need a run at work: e2e/trainers and e2e/web call them with success.
 * Here a second server on the same data answers them, whose Python is not there: so they come as far as they can without work.
 */
const WORKING = [
  'startRun',
  'startMatrix',
  'dryRun',
  'pauseRun',
  'resumeRun',
  'exportModel',
  'chatWithModel',
  'deleteArtifact',
  'startServing',
  'stopServing',
]
/**
 * They end the sandbox that others are called with (the fuzzer takes ids from answers), keep its commands waiting, or use up
 * places and disk: called last, on the second server.
 */
const SANDBOXES = [
  'stopSandbox',
  'takeOverSandbox',
  'handBackSandbox',
  'startSandbox',
  'forkSandbox',
  'takeSandboxSnapshot',
  'removeSandboxSnapshot',
]
const NEEDS_TRAINING = /^(?:(?:plan|get|patch|delete|cancel)(?:Run|Matrix)(?:$|[A-Z])|(?:compare|get|patch|delete)Models?(?:$|[A-Z]))/

/** A home without a history: what the fuzzer asks to import or install stays in this folder. */
const workspace = makeWorkspace()
const folder = workspace.dir
const ids = path.join(folder, 'ids.json')
const answers = path.join(folder, 'answers')
let code = 1
try {
  code = await onServer(python, async (server) => {
    fs.writeFileSync(ids, JSON.stringify(await seed(server, folder, python)))
    return fuzz(server, [
      ...WORKING.map((operation) => `--exclude-operation-id=${operation}`),
      // It would end the fuzzer's own right to call.
      '--exclude-operation-id=signOutEverywhere',
      // It would wait for jobs, write archives to made-up paths and fill the disk.
      '--exclude-operation-id=createBackup',
      // It would fetch gigabytes.
      '--exclude-operation-id=installTrainingEnvironment',
      ...SANDBOXES.map((operation) => `--exclude-operation-id=${operation}`),
    ])
  })
  if (shareReached(answers) < LEAST_SHARE) code = 1
  code ||= await onServer('/nowhere/python', (server) =>
    fuzz(
      server,
      [...WORKING, ...SANDBOXES].map((operation) => `--include-operation-id=${operation}`),
    ),
  )
} finally {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 }) // a trainer may be at its last words
}
process.exit(code ?? 1)

/** Resolves with what `work` does; the server must be well after it. */
async function onServer(interpreter, work) {
  const hub = await startHub()
  const env = { HF_ENDPOINT: hub.url, ...(interpreter && { BASHGYM_PYTHON: interpreter }) }
  const server = await startServer(workspace, { env, stderr: 'inherit' })
  try {
    const code = await work(server)
    await server.api('/api/health')
    return code
  } finally {
    await server.stop()
    hub.close()
  }
}

/** A hub without any model: what is asked of one must not leave this machine. */
async function startHub() {
  const hub = http.createServer((_, response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"Repository not found"}'),
  )
  await once(hub.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${hub.address().port}`, close: () => hub.close() }
}

/** Exit code of schemathesis. */
async function fuzz({ url, token }, operations) {
  const child = spawn(
    program,
    [
      'run',
      `${url}/api/openapi.json`,
      '--checks=not_a_server_error,content_type_conformance,status_code_conformance,response_schema_conformance',
      `--header=Authorization: Bearer ${token}`,
      `--max-examples=${process.env.BASHGYM_FUZZ_EXAMPLES ?? 10}`,
      '--phases=examples,coverage,fuzzing',
      '--request-timeout=60',
      '--workers=1',
      '--seed=1',
      '--no-color',
      ...operations,
    ],
    {
      cwd: folder,
      stdio: 'inherit',
      env: {
        ...process.env,
        SCHEMATHESIS_HOOKS: 'real_ids',
        PYTHONPATH: import.meta.dirname,
        PYTHONDONTWRITEBYTECODE: '1',
        BASHGYM_FUZZ_IDS: ids,
        BASHGYM_FUZZ_ANSWERS: answers,
      },
    },
  )
  const [code] = await once(child, 'close')
  return code ?? 1
}

/** Prints which operations were never answered with success; returns the share of those that were. */
function shareReached(file) {
  /** Statuses by operation, each with how often. */
  const reached = new Map()
  for (const line of fs.readFileSync(file, 'utf8').trim().split('\n')) {
    const [operation, status] = line.split(' ')
    const counts = reached.get(operation) ?? {}
    reached.set(operation, { ...counts, [status]: (counts[status] ?? 0) + 1 })
  }
  const isReached = (counts) => Object.keys(counts).some((status) => status.startsWith('2'))
  for (const [operation, counts] of reached) {
    const isBeyond = OUT_OF_REACH.has(operation) || (python === null && NEEDS_TRAINING.test(operation))
    if (!isReached(counts) && isBeyond) reached.delete(operation)
  }
  const missed = [...reached]
    .filter(([, counts]) => !isReached(counts))
    .map(([operation, counts]) => `${operation} ${JSON.stringify(counts)}`)
  const share = 1 - missed.length / reached.size
  console.log(`${reached.size - missed.length} of ${reached.size} operations answered 2xx (${(100 * share).toFixed(0)} %).`)
  if (missed.length > 0) console.log(`Never: ${missed.join(', ')}.`)
  return share
}

function run(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: schemathesis could not be installed.`)
}
